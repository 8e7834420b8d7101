// The till: sends a form once, and opens what a scanner types into the amount.
"use strict";

(() => {
  const forms = [...document.querySelectorAll('form[method="post"]')];
  const enable = (form, enabled) => {
    for (const button of form.querySelectorAll("button")) button.disabled = !enabled;
  };

  // The page stays open until there is a response: opened again it would have another key, and the points would
  // count twice.
  async function award(form) {
    const unsure = document.getElementById("unsure");
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
      enable(form, true);
    }
  }

  for (const form of forms) {
    form.addEventListener("submit", (event) => {
      const total = form.querySelector("[name=orderTotal]");
      if (total) event.preventDefault();
      enable(form, false);
      const scanned = total?.value.trim();
      if (/:\/\/|^rwd-/i.test(scanned)) location.assign(`${form.dataset.scans}?q=${encodeURIComponent(scanned)}`);
      else if (total) award(form);
    });
  }

  // Back on a page from the browser's cache the button works again: the form's key makes it count once.
  window.addEventListener("pageshow", () => {
    for (const form of forms) enable(form, true);
  });
})();
