// A number pad for the amount, on a wide screen that is touched or where somebody asked for it. It types into the plain
// field, which stays what keyboards and scanners write to.
import { decimalPoint, decimals } from "../money.js";
import { recall, remember } from "../storage.js";

const KEPT = "till-pad";
const field = document.getElementById("orderTotal");
const pad = document.querySelector(".pad");
const toggle = document.querySelector(".pad-toggle");
const wide = matchMedia("(min-width: 48rem)");
const touched = matchMedia("(pointer: coarse)");

const isWanted = () => (recall(KEPT) ?? (touched.matches ? "open" : "")) === "open";

function show() {
  const open = wide.matches && isWanted();
  pad.hidden = !open;
  toggle.hidden = !wide.matches;
  toggle.setAttribute("aria-pressed", open);
  field.inputMode = open ? "none" : "decimal"; // not a second pad over the page
}

/** In place of what is selected, else at the cursor; nothing deletes the character before it. */
function type(text) {
  let start = field.selectionStart;
  if (!text && start === field.selectionEnd) start = Math.max(0, start - 1);
  field.setRangeText(text, start, field.selectionEnd, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

if (field && pad) {
  const point = pad.querySelector(".pad-point");
  point.value = point.textContent = decimals ? decimalPoint() : "000";
  pad.addEventListener("mousedown", (event) => event.preventDefault()); // the field keeps the focus
  pad.addEventListener("click", (event) => {
    const key = event.target.closest("button");
    if (key) type(key.value);
  });
  toggle.addEventListener("click", () => {
    remember(KEPT, isWanted() ? "closed" : "open");
    show();
    field.focus();
  });
  wide.addEventListener("change", show);
  show();
}
