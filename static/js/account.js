// On the account's page "Save" stands back until something differs from what was shown.
import "./send_once.js";

const save = document.querySelector(".account-save");
const { name, phone, offers, nameShown, phoneShown, offersShown } = save.form.elements;

function show() {
  const isSame =
    name.value === nameShown.value &&
    phone.value === phoneShown.value &&
    offers.checked === Boolean(offersShown.value);
  save.classList.toggle("button-quiet", isSame);
}

save.form.addEventListener("input", show);
addEventListener("pageshow", show); // the browser may fill in what was typed before
