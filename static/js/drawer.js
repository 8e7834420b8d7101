// Counting a cash drawer: one more or fewer of a note or coin, and what all of them come to.
import { money } from "./money.js";
import "./print.js";

const count = document.querySelector("#count form");
const pieces = [...document.querySelectorAll("[data-piece]")];

/** In thousandths: binary fractions would not add up. */
function show() {
  const sum = pieces.reduce((so_far, { dataset, value }) => so_far + Math.round(dataset.piece * 1000) * Number(value), 0);
  document.getElementById("counted").textContent = money(sum / 1000);
}

count?.addEventListener("click", ({ target }) => {
  const step = target.closest("[data-step]");
  if (!step) return;
  const field = step.parentElement.querySelector("input");
  field.value = Math.max(Number(field.value) + Number(step.dataset.step), 0);
  show();
});
count?.addEventListener("input", show);
if (count) show();
