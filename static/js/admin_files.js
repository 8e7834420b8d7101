/* A picture is changed by pressing it, and a file that was chosen is named. Without this script the browser's own field
   does both. */
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  for (const input of document.querySelectorAll('.picture-area input[type="file"]')) {
    const [label] = input.labels;
    const words = label.textContent;
    input.addEventListener("change", () => { label.textContent = input.files[0]?.name ?? words; });
    input.closest("fieldset").querySelector("img")?.addEventListener("click", () => input.click());
  }
});
