// In each markup a button that copies it. Without JavaScript, or HTTPS, which a trial may lack, it is selected by hand.
"use strict";

// Beside the page its list stays open, for those who hear it, too.
document.querySelector(".design-index details").open = matchMedia("(min-width: 70rem)").matches;

// As the floor's page does.
for (const time of document.querySelectorAll("time[data-age]")) {
  const minutes = Math.floor((Date.now() - Date.parse(time.dateTime)) / 60_000);
  time.textContent = minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

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
