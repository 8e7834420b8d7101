// In each markup a button that copies it. Without JavaScript, or HTTPS, which a trial may lack, it is selected by hand.
"use strict";

// Beside the page its list stays open, for those who hear it, too.
document.querySelector(".design-index details").open = matchMedia("(min-width: 70rem)").matches;

for (const block of navigator.clipboard ? document.querySelectorAll(".markup") : []) {
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
