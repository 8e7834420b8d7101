// The pad for the PIN: no keyboard of the device covers who there is to choose.
import "./send_once.js";

const pad = document.getElementById("pad");
const pin = document.getElementById("pin");

if (pad) {
  pad.hidden = false;
  document.getElementById("sign-in").hidden = true;
  pin.inputMode = "none";
  pad.addEventListener("click", ({ target }) => {
    const key = target.closest("button[type=button]");
    if (!key) return;
    pin.value = key.value ? (pin.value + key.value).slice(0, pin.maxLength) : pin.value.slice(0, -1);
  });
  // Digits from a keyboard, wherever the focus is.
  addEventListener("keydown", ({ key }) => /^[0-9]$/.test(key) && pin.focus());
  document.getElementById("switch").addEventListener("change", ({ target }) => target.type === "radio" && (pin.value = ""));
}
