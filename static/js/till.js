// The till: a form is sent once, whatever the network does, and a scanner that types into the amount opens what it read.
"use strict";

(() => {
  const forms = [...document.querySelectorAll('form[method="post"]')];
  const enable = (form, enabled) => {
    for (const button of form.querySelectorAll("button")) button.disabled = !enabled;
  };

  // The page stays until there is an answer: a page that was left and opened again has another key, and its points
  // would count again.
  async function give(form) {
    const unsure = document.getElementById("unsure");
    unsure.hidden = true;
    try {
      const answer = await fetch(form.action, {
        method: "POST",
        headers: { Accept: "text/html" },
        body: new URLSearchParams(new FormData(form)),
        redirect: "manual",
        signal: AbortSignal.timeout(15_000),
      });
      if (answer.status >= 500) throw new Error(answer.status);
      if (answer.type === "opaqueredirect") location.replace(form.dataset.next);
      else form.submit(); // refused: the answer is a page that says why
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
      else if (total) give(form);
    });
  }

  // Whoever comes back to this page from the browser's memory can press again: the form's key makes it count once.
  window.addEventListener("pageshow", () => {
    for (const form of forms) enable(form, true);
  });
})();
