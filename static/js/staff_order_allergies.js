// What the guest of an order that staff take is allergic to, and which dishes that concerns.
"use strict";

window.orderAllergies = (() => {
  const form = document.getElementById("order");
  if (!form) return null;
  const boxes = [...form.querySelectorAll('[name="allergies"]')];

  const textOf = (box) => box.nextElementSibling.firstChild.textContent.trim();
  const told = () => boxes.filter((each) => each.checked);

  function sentence(kind, of) {
    return of.length ? form.dataset[kind].replace("{allergens}", of.map(textOf).join(", ")) : "";
  }

  return {
    textOf,
    showTold() {
      document.getElementById("told").textContent = told().map(textOf).join(", ");
    },
    /** Of the dish `element` with its chosen options. */
    showCaution(element, options) {
      const caution = element.querySelector(".dish-caution");
      const sources = [element, ...options];
      const has = (name, box) => sources.some((each) => (each.dataset[name] || "").split(" ").includes(box.value));
      const unknown = element.dataset.notDeclared;
      const isUnknown = (box) => unknown === "*" || unknown.split(" ").includes(box.value);
      const contains = told().filter((box) => has("contains", box));
      const may = told().filter((box) => !contains.includes(box) && has("mayContain", box));
      const notDeclared = told().filter((box) => ![...contains, ...may].includes(box) && isUnknown(box));
      const said = [sentence("contains", contains), sentence("mayContain", may), sentence("notDeclared", notDeclared)];
      caution.textContent = said.filter(Boolean).join(". ");
      caution.hidden = !caution.textContent;
      caution.classList.toggle("dish-contains", contains.length > 0);
    },
  };
})();
