// What goes well with a dish is added without leaving it. In the sheet, the menu beneath shows it too.
"use strict";

document.addEventListener("submit", async (event) => {
  const { target: form, submitter: button } = event;
  if (!form.matches(".dish-beside")) return;
  event.preventDefault();
  if (button.getAttribute("aria-disabled") === "true") return; // a double tap
  button.setAttribute("aria-disabled", "true");
  const part = form.querySelector(".goes-with");
  const error = form.querySelector(".notice");
  error.textContent = part.dataset.failed;
  try {
    const body = new URLSearchParams(new FormData(form, button));
    const response = await fetch(form.action, { method: "POST", headers: { Accept: "application/json" }, body, signal: AbortSignal.timeout(10000) });
    error.hidden = response.ok;
    if (response.ok) {
      const count = (Number(button.dataset.count) || 0) + 1;
      button.dataset.count = count;
      button.firstElementChild.textContent = part.dataset.added.replace("#", count);
      button.classList.add("goes-with-added");
      form.querySelector("[role=status]").textContent = button.textContent;
      window.menuCart?.send("GET");
    } else {
      error.textContent = (await response.json()).error;
    }
  } catch {
    error.hidden = false;
  }
  button.removeAttribute("aria-disabled");
});
