// Says for some seconds what has happened, with a button that takes it back.

const box = document.getElementById("toast");
const words = box?.querySelector("p");
const button = box?.querySelector("button");
const SECONDS = 8;
let timer = 0;
let undo = null;
let leaveTo = null; // finds what gets the focus when the button goes away

function hide() {
  if (!box.classList.contains("is-shown")) return;
  clearTimeout(timer);
  const focused = document.activeElement === button;
  undo = null;
  box.classList.remove("is-shown");
  button.hidden = true;
  words.textContent = "";
  if (focused) leaveTo?.()?.focus({ preventScroll: true });
}

// It stays while somebody is at it.
function hideLater() {
  clearTimeout(timer);
  timer = setTimeout(() => (button.matches(":focus-visible") || box.matches(":hover") ? hideLater() : hide()), SECONDS * 1000);
}

export function toast(text, { label = "", back = null, focusAfter = null } = {}) {
  [undo, leaveTo] = [back, focusAfter];
  words.textContent = text;
  button.textContent = label;
  button.hidden = !back;
  if (box.classList.contains("is-shown")) {
    box.classList.remove("is-shown");
    void box.offsetWidth; // the animation begins anew
  }
  box.classList.add("is-shown");
  if (back) button.focus({ preventScroll: true });
  hideLater();
}

// What can be taken back stays.
export function clearToast() {
  if (!undo) hide();
}

button?.addEventListener("click", () => {
  const back = undo;
  leaveTo = null;
  hide();
  back?.();
});
