// The till: sends a form once, and opens what a scanner types into the amount.
"use strict";

(() => {
  const forms = [...document.querySelectorAll('form[method="post"]')];
  const enable = (form, enabled) => {
    for (const button of form.querySelectorAll("button")) button.disabled = !enabled;
  };

  async function award(form) {
    if (!(await window.keyedForm.send(form))) enable(form, true);
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

  // Back on a page from the browser's cache the button works again: the form's key makes it count once.
  window.addEventListener("pageshow", () => {
    for (const form of forms) enable(form, true);
  });
})();
