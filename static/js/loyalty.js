// A form is sent once: a second tap while the first is under way would be answered with a refusal.
"use strict";

(() => {
  const buttons = () => document.querySelectorAll("form button");

  document.addEventListener("submit", (event) => {
    const button = event.submitter;
    // After the browser has gathered the form's fields.
    if (!button) return;
    setTimeout(() => (button.disabled = true));
    setTimeout(() => (button.disabled = false), 15_000); // a page that does not come can be asked for again
  });

  // Also back to a page that the browser kept as it was.
  window.addEventListener("pageshow", () => {
    for (const button of buttons()) button.disabled = false;
  });
})();
