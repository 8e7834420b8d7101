// Beside each markup a button that copies it. Without JavaScript it is selected by hand.
"use strict";

for (const block of document.querySelectorAll(".guide pre")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy-markup";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(block.querySelector("code").textContent);
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 2000);
  });
  block.prepend(button);
}
