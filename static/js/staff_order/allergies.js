// What the guest of an order that staff take is allergic to, and which dishes that concerns.
import { fill, say } from "../words.js";

const form = document.getElementById("order");
const boxes = [...form.querySelectorAll('[name="allergies"]')];

export const textOf = (box) => box.nextElementSibling.firstChild.textContent.trim();
const told = () => boxes.filter((each) => each.checked);

function sentence(kind, of) {
  return of.length ? fill(form.dataset[kind], { allergens: of.map(textOf).join(", ") }) : "";
}

export function showTold() {
  document.getElementById("told").textContent = told().map(textOf).join(", ");
}

/** Of the dish `element` with its chosen options. */
export function showCaution(element, options) {
  const caution = element.querySelector(".dish-caution");
  const sources = [element, ...options];
  const has = (name, box) => sources.some((each) => (each.dataset[name] || "").split(" ").includes(box.value));
  const unknown = element.dataset.notDeclared;
  const isUnknown = (box) => unknown === "*" || unknown.split(" ").includes(box.value);
  const contains = told().filter((box) => has("contains", box));
  const may = told().filter((box) => !contains.includes(box) && has("mayContain", box));
  const notDeclared = told().filter((box) => ![...contains, ...may].includes(box) && isUnknown(box));
  const said = [sentence("contains", contains), sentence("mayContain", may), sentence("notDeclared", notDeclared)];
  say(caution, said.filter(Boolean).join(". "));
  caution.classList.toggle("dish-contains", contains.length > 0);
}
