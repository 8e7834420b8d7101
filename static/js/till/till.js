// The till: sends a form once, and opens what a scanner types into the amount.
import { enable, enableWhenBack, sendKeyed } from "../keyed_form.js";
import "./camera.js";
import "./pad.js";
import "./points.js";

const forms = [...document.querySelectorAll('form[method="post"]')];

async function award(form) {
  if (!(await sendKeyed(form))) enable(form, true);
}

for (const form of forms) {
  form.addEventListener("submit", (event) => {
    const total = form.querySelector("[name=orderTotal]");
    if (total) event.preventDefault();
    enable(form, false);
    const scanned = total?.value.trim();
    if (/:\/\/|^rwd-/i.test(scanned)) location.assign(form.dataset.scans + encodeURIComponent(scanned));
    else if (total) award(form);
  });
}

enableWhenBack(forms); // a form's key makes it count once
