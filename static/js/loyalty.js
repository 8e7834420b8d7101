// A form is sent once: a second tap while the first is under way would be answered with a refusal.
"use strict";

(() => {
  const buttons = () => document.querySelectorAll("form button");

  document.addEventListener("submit", (event) => {
    const button = event.submitter;
    // After the browser has gathered the form's fields.
    if (button) setTimeout(() => (button.disabled = true));
  });

  // Back to a page that the browser kept as it was.
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) for (const button of buttons()) button.disabled = false;
  });
})();
