// A dish's form, on its own page and in the menu's sheet: its price, its limits, its stepper.
import { create, within } from "../dom.js";
import { moneyOfCents, toCents } from "../money.js";
import { fill, say, write } from "../words.js";

/** `form`: of dish.html. */
export function setUpDish(form) {
  const quantity = form.elements.quantity;
  const total = form.querySelector(".dish-total .amount");
  const verb = form.querySelector(".dish-verb");
  const dot = form.querySelector(".dish-dot");
  const add = verb?.textContent.trim();
  const groups = [...form.querySelectorAll(".group")];
  if (!quantity) return;

  const boxes = (group) => [...group.querySelectorAll("input")];
  const taken = (group) => boxes(group).filter((box) => box.checked).length;
  const many = () => within(Math.trunc(Number(quantity.value)) || 1, 1, Number(quantity.max));

  const missing = () => groups.find((group) => taken(group) < group.dataset.min);

  function showTotal() {
    let sum = toCents(form.dataset.price);
    for (const group of groups) {
      // What is missing yet, at its cheapest.
      const next = boxes(group).sort((a, b) => b.checked - a.checked || a.dataset.price - b.dataset.price);
      for (const box of next.slice(0, Math.max(taken(group), group.dataset.min))) sum += toCents(box.dataset.price);
    }
    const price = moneyOfCents(sum * many());
    total.textContent = missing() ? fill(form.dataset.from, { price }) : price;
  }

  // The button asks for what is missing, and leads there.
  function showMissing() {
    const group = missing();
    verb.textContent = group ? group.dataset.asked : add;
    dot.hidden = Boolean(group);
    form.querySelector(".dish-add").classList.toggle("button-quiet", Boolean(group));
  }

  function showError(group, text) {
    say(group.querySelector(".group-error"), text);
    group.classList.toggle("group-wrong", Boolean(text));
  }

  // How many are taken, beside the rule, where more than one can be.
  function showTaken(group) {
    const { min, max } = group.dataset;
    const count = taken(group);
    group.querySelector(".group-needed")?.classList.toggle("chip-good", count >= min);
    group.classList.toggle("group-full", max > 1 && count >= max);
    let words = group.querySelector(".group-taken");
    if (max < 2 || max >= boxes(group).length) return;
    if (!words) {
      words = create("span", { className: "group-taken push strong" });
      words.setAttribute("role", "status");
      group.querySelector(".group-rule").append(" ", words);
    }
    write(words, count ? form.dataset.chosen.replace("#", count).replace("{max}", max) : "");
  }

  function choose(box) {
    const group = box.closest(".group");
    const { max } = group.dataset;
    let error = "";
    if (box.checked && taken(group) > max) {
      if (max === "1") {
        for (const other of boxes(group)) other.checked = other === box;
      } else {
        box.checked = false;
        error = form.dataset.tooMany.replace("#", max);
      }
    }
    showError(group, error);
    requestAnimationFrame(() => setTimeout(form.showAll));
  }

  // Whether enough is chosen; goes to the first group where it is not.
  form.check = () => {
    let first = null;
    for (const group of groups) {
      const { min, max } = group.dataset;
      const left = min - taken(group);
      const words = max > 1 ? form.dataset.tooFew.replace("#", left) : form.dataset.chooseOne;
      showError(group, left > 0 ? words : "");
      if (left > 0) first ??= group;
    }
    if (!first) return true;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    first.scrollIntoView({ block: "start", behavior: still ? "auto" : "smooth" });
    first.querySelector("input")?.focus({ preventScroll: true });
    return false;
  };

  form.noValidate = true; // `check` says it in the page's own words
  form.addEventListener("change", (event) => {
    if (event.target.closest(".group")) choose(event.target);
    if (event.target === quantity) quantity.value = many();
  });
  form.addEventListener("input", (event) => event.target === quantity && showTotal());
  form.addEventListener("click", (event) => {
    const step = event.target.closest("[data-step]");
    if (!step) return;
    quantity.value = within(many() + Number(step.dataset.step), 1, Number(quantity.max));
    showTotal();
  });
  form.addEventListener("submit", (event) => {
    quantity.value = many();
    if (!form.check()) event.preventDefault();
  });
  form.showAll = () => {
    for (const group of groups) showTaken(group);
    showMissing();
    showTotal();
  };
  form.showAll();
}
