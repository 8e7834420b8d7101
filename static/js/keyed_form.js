/* Sends a form that has an idempotency key. The page stays open until there is a response: its key makes a second try
   count once, and a page opened anew would have another key. */
(() => {
  "use strict";

  const TIMEOUT = 15_000; // milliseconds

  /** Goes on to the form's `data-next`, or to the page that says why it was refused. False without a response. */
  async function send(form) {
    const unsure = document.getElementById("unsure");
    unsure.hidden = true;
    try {
      const response = await fetch(form.action, {
        method: "POST",
        headers: { Accept: "text/html" },
        body: new URLSearchParams(new FormData(form)),
        redirect: "manual",
        signal: AbortSignal.timeout(TIMEOUT),
      });
      if (response.status >= 500) throw new Error(response.status);
      if (response.type === "opaqueredirect") location.replace(form.dataset.next);
      else form.submit();
      return true;
    } catch {
      unsure.textContent = form.dataset.unsure;
      unsure.hidden = false;
      return false;
    }
  }

  window.keyedForm = { send };
})();
