// The page that cancels an order: buttons beside the quantities, and a form that is sent once.
import { within } from "./dom.js";
import { sendKeyed } from "./keyed_form.js";

const form = document.getElementById("cancel"); // null where there is nothing to cancel any more
const send = document.getElementById("send");

function choose(scope) {
  form.querySelector(`[name=scope][value=${scope}]`).checked = true;
}

for (const button of form?.querySelectorAll("[data-step]") ?? []) {
  button.hidden = false;
  button.addEventListener("click", () => {
    const field = button.parentElement.querySelector("input");
    const wanted = (Math.trunc(Number(field.value)) || 0) + Number(button.dataset.step);
    field.value = within(wanted, 0, Number(field.max));
    choose("parts");
  });
}
form?.addEventListener("input", (event) => event.target.name.startsWith("quantity-") && choose("parts"));

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (send.disabled) return;
  send.disabled = true;
  if (!(await sendKeyed(form))) send.disabled = false;
});
addEventListener("pageshow", () => {
  if (send) send.disabled = false;
});
