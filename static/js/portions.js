// How many portions of a dish are left is saved as soon as it is written. Without JavaScript there is a button.
import { create } from "./dom.js";
import { fieldsOf, post } from "./http.js";
import "./menu/search.js";
import { toast } from "./toast.js";
import { counted, fill } from "./words.js";

const words = document.getElementById("columns").dataset;

function told(form, portions) {
  return fill(portions ? counted(words, portions) : words.uncounted, { dish: form.dataset.name });
}

/** Whether the dish is among those that run low. */
function showLow(form, id, portions) {
  const low = document.getElementById("low");
  low.querySelector(`[href="#${id}"]`)?.remove();
  if (portions > 0 && portions <= Number(low.dataset.few)) {
    const link = create("a", { className: "chip-choice small", href: `#${id}`, textContent: `${form.dataset.name} ` });
    link.append(create("span", { textContent: counted(low.dataset, portions) }));
    low.append(" ", link);
  }
  low.hidden = !low.querySelector("a");
}

async function save(form, field) {
  const before = field.defaultValue;
  const portions = field.value;
  field.defaultValue = portions; // on its way: not to be sent again
  try {
    const response = await post(form.action, fieldsOf(form), { within: 15_000 });
    if (!response.ok) throw new Error(response.status);
  } catch {
    if (field.value === portions) field.value = before;
    field.defaultValue = before;
    return toast(words.unsaved);
  }
  form.classList.toggle("left-counted", portions !== "");
  showLow(form, field.id, Number(portions));
  if (before === "0" || Number(portions || 1) === 0) return location.reload(); // on the menu again, or off it
  toast(told(form, portions));
}

for (const form of document.querySelectorAll(".left")) {
  const field = form.elements.portions;
  field.addEventListener("focus", () => field.select());
  field.addEventListener("change", () => form.requestSubmit());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (field.value !== field.defaultValue) save(form, field);
  });
}
