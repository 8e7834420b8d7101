// What goes well with a dish is added without leaving it.
import { fieldsOf, isBusy, post, setReady } from "../http.js";

async function add(form, button, added) {
  const part = form.querySelector(".goes-with");
  const error = form.querySelector(".notice");
  error.textContent = part.dataset.failed;
  try {
    const response = await post(form.action, fieldsOf(form, button), { within: 10_000 });
    error.hidden = response.ok;
    if (response.ok) {
      const count = (Number(button.dataset.count) || 0) + 1;
      button.dataset.count = count;
      button.firstElementChild.textContent = part.dataset.added.replace("#", count);
      button.classList.add("goes-with-added");
      form.querySelector("[role=status]").textContent = button.textContent;
      added();
    } else {
      error.textContent = (await response.json()).error;
    }
  } catch {
    error.hidden = false;
  }
}

/** `added` is called when something was. */
export function addBeside(added = () => {}) {
  document.addEventListener("submit", async (event) => {
    const { target: form, submitter: button } = event;
    if (!form.matches(".dish-beside")) return;
    event.preventDefault();
    if (isBusy(button)) return;
    await add(form, button, added);
    setReady(button);
  });
}
