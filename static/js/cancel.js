// The page that cancels an order: buttons beside the quantities, and a form that is sent once.
"use strict";

(() => {
  const form = document.getElementById("cancel");
  if (!form) return;
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

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (send.disabled) return;
    send.disabled = true;
    if (!(await window.keyedForm.send(form))) send.disabled = false;
  });
  window.addEventListener("pageshow", () => {
    send.disabled = false;
  });
})();
