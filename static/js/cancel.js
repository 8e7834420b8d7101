// The page that cancels an order: buttons beside the quantities, and a form that is sent once.
"use strict";

(() => {
  const form = document.getElementById("cancel");
  if (!form) return;
  const unsure = document.getElementById("unsure");
  const send = document.getElementById("send");

  function choose(scope) {
    form.querySelector(`[name=scope][value=${scope}]`).checked = true;
  }

  for (const button of form.querySelectorAll("[data-step]")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      const field = button.parentElement.querySelector("input");
      const wanted = (Math.trunc(Number(field.value)) || 0) + Number(button.dataset.step);
      field.value = Math.min(Math.max(wanted, 0), Number(field.max));
      choose("parts");
    });
  }
  form.addEventListener("input", (event) => event.target.name.startsWith("quantity-") && choose("parts"));

  // The page stays until there is a response: its key makes a second try count once.
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (send.disabled) return;
    send.disabled = true;
    unsure.hidden = true;
    try {
      const response = await fetch(form.action, {
        method: "POST",
        headers: { Accept: "text/html" },
        body: new URLSearchParams(new FormData(form)),
        redirect: "manual",
        signal: AbortSignal.timeout(15_000),
      });
      if (response.status >= 500) throw new Error(response.status);
      if (response.type === "opaqueredirect") location.replace(form.dataset.next);
      else form.submit(); // refused: shows the page that says why
    } catch {
      unsure.textContent = form.dataset.unsure;
      unsure.hidden = false;
      send.disabled = false;
    }
  });
  window.addEventListener("pageshow", () => {
    send.disabled = false;
  });
})();
