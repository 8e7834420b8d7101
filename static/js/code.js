// One code, full screen: the screen stays on, and a tap, Escape or Back closes it.
import { keepAwake } from "./awake.js";

const close = document.querySelector(".one-code-close");
document.getElementById("hint").hidden = false;

function leave() {
  // Back to the card where it was opened from, so that Back does not show the code again.
  if (document.referrer === close.href && history.length > 1) history.back();
  else location.replace(close.href);
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a, button");
  if (link && link !== close) return;
  event.preventDefault();
  leave();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") leave();
});

keepAwake();
