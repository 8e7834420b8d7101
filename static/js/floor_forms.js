/* Sends the page's forms once each, and says where one is not confirmed. */
(() => {
  "use strict";

  const { word } = window.floorPage;
  const TIMEOUT = 8000; // milliseconds
  const buttons = (element) => element.querySelectorAll("button");
  const itemOf = (form) => form.closest("li") ?? form;

  function setBusy(item, busy) {
    item.toggleAttribute("data-busy", busy);
    item.setAttribute("aria-busy", String(busy));
    for (const button of buttons(item)) button.disabled = busy;
  }

  function say(item, sentence) {
    let place = item.querySelector(":scope > .form-error");
    if (!place) {
      place = document.createElement("p");
      place.className = "form-error";
      place.setAttribute("role", "alert");
      item.append(place);
    }
    place.textContent = sentence;
    place.hidden = !sentence;
  }

  async function post(form, body) {
    const response = await fetch(form.action, {
      method: "POST",
      headers: { Accept: "application/json" },
      body,
      signal: AbortSignal.timeout(TIMEOUT),
    });
    if (response.ok) return "";
    if (response.status >= 500) throw new Error(response.status);
    const { error } = await response.json();
    return word("refused", { error });
  }

  /** Nothing is typed there any more, so that it may be replaced. */
  function fold(details) {
    details.querySelector("summary").focus();
    details.open = false;
  }

  async function send(form, submitter) {
    const item = itemOf(form);
    if ("busy" in item.dataset) return;
    const body = new URLSearchParams(new FormData(form));
    if (submitter?.name) body.set(submitter.name, submitter.value);
    setBusy(item, true);
    say(item, "");
    const label = form.dataset.send === "silent" ? null : submitter?.firstChild; // a number has no room for a word
    const text = label?.textContent;
    if (label) label.textContent = word("sending");
    let problem;
    try {
      problem = await post(form, body);
    } catch {
      problem = word("unsure");
    }
    if (!problem && form.dataset.send === "folds") fold(form.closest("details"));
    // Read before the buttons work again: what was done is gone then.
    if (!problem) await window.floorRead();
    if (label) label.textContent = text;
    setBusy(item, false);
    say(item, problem);
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if ("send" in form.dataset) {
      event.preventDefault();
      send(form, event.submitter);
    } else if ("once" in form.dataset) {
      if ("sent" in form.dataset) event.preventDefault();
      form.dataset.sent = "";
    }
  });
  // Back on the page from the browser's cache, its forms work again.
  addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
  });
})();
