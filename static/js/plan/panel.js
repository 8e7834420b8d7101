/* What is chosen on the plan, and what can be changed of it besides its place. */
import { ignoreEnter } from "../dom.js";
import * as features from "./features.js";
import * as grid from "./grid.js";

const form = document.getElementById("plan");
const part = (name) => document.getElementById(`plan-${name}`);
const sizes = [...document.querySelectorAll("#plan-sizes .plan-size")];
const shapes = [...document.querySelectorAll(".plan-shape")];
let chosen = null; // a table's number or a feature's id

/** `where`: the sentence that says so. */
export function show(key, title, where) {
  chosen = key;
  part("chosen").hidden = !key;
  if (!key) return;
  const isTable = grid.numbers.includes(key);
  part("name").textContent = title;
  part("where").textContent = where;
  part("remove").hidden = isTable && !grid.cell(key);
  part("shapes").hidden = part("seats").hidden = !isTable;
  for (const name of ["text", "sizes", "turn"]) part(name).hidden = isTable;
  if (isTable) {
    const { value } = grid.shape(key);
    for (const button of shapes) button.setAttribute("aria-pressed", button.dataset.shape === value);
    const seats = grid.seats(key);
    part("seats").querySelector("output").textContent = seats ?? "–";
    part("seats").querySelector('[data-by="-1"]').disabled = (seats ?? 0) <= 1;
  } else showFeature(features.get(key));
}

function showFeature(feature) {
  const text = part("text-field");
  if (document.activeElement !== text) text.value = feature.text;
  part("turn").hidden = feature.width === feature.height;
  for (const size of sizes) {
    const value = feature[size.dataset.size];
    size.hidden = !value; // of a line
    size.querySelector("output").textContent = value;
    size.querySelector('[data-by="-1"]').disabled = value <= 1;
  }
}

const changed = () => form.dispatchEvent(new Event("input"));

for (const button of shapes) {
  button.addEventListener("click", () => {
    grid.shape(chosen).value = button.dataset.shape;
    changed();
  });
}
for (const size of sizes) {
  size.addEventListener("click", (event) => {
    const by = Number(event.target.closest(".plan-step")?.dataset.by ?? 0);
    features.resize(chosen, features.get(chosen), size.dataset.size === "width" ? [by, 0] : [0, by]);
    changed();
  });
}
part("seats").addEventListener("click", (event) => {
  const by = Number(event.target.closest(".plan-step")?.dataset.by ?? 0);
  if (!by) return;
  grid.seats(chosen, (grid.seats(chosen) ?? 0) + by);
  changed();
});
part("turn").addEventListener("click", () => {
  features.turn(chosen);
  changed();
});
part("text-field").addEventListener("input", (event) => {
  event.stopPropagation();
  features.field(chosen, "text").value = event.target.value;
  changed();
});
ignoreEnter(part("text-field")); // it would save the plan
