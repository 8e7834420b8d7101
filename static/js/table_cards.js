// What is chosen is shown at once: the page of the choice is read, and what it prints takes the place of what is there.
import { readPage } from "./http.js";
import { putParts } from "./page.js";
import "./print.js";

const form = document.querySelector(".which-cards");
const PARTS = [".how-format", ".which-said", ".sheets", ".go", ".go-how"];
const PAUSE = 400; // milliseconds after a key
let latest = 0;
let timer;

async function show() {
  clearTimeout(timer);
  const number = ++latest;
  const address = `${form.action}?${new URLSearchParams([...new FormData(form)].filter(([, value]) => value))}`;
  try {
    const page = await readPage(address, { within: 30_000 });
    if (number !== latest) return;
    // A page with other parts, as a refusal: the whole page says why.
    if (PARTS.some((part) => !document.querySelector(part) || !page.querySelector(part))) throw new Error("other parts");
    putParts(page, PARTS);
    history.replaceState(null, "", address);
  } catch {
    if (number === latest) form.submit();
  }
}

form.querySelector(":scope > button").hidden = true;
form.addEventListener("change", (event) => {
  const more = event.target.closest(".field-choice")?.nextElementSibling;
  if (more?.matches(".which-more") && !more.value) more.focus();
  else show();
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  show();
});
function showSoon() {
  clearTimeout(timer);
  timer = setTimeout(show, PAUSE);
}
form.elements.headline.addEventListener("input", showSoon);

// --- copies ---

const copies = form.elements.copies;
const steps = [...form.querySelectorAll("[data-step]")];
const number = () => Math.trunc(Number(copies.value)) || Number(copies.min);
const isLast = (step) => number() === Number(Number(step) < 0 ? copies.min : copies.max);

function markSteps() {
  // Not `disabled`: the focus stays on the button.
  for (const button of steps) button.setAttribute("aria-disabled", isLast(button.dataset.step));
}
for (const button of steps) {
  button.hidden = false;
  button.addEventListener("click", () => {
    const { step } = button.dataset;
    if (isLast(step)) return;
    copies.value = number() + Number(step);
    markSteps();
    showSoon(); // after several taps, once
  });
}
copies.addEventListener("input", markSteps);
markSteps();
