// Calls the waiter without leaving the page, and says when somebody has been there.
"use strict";

(() => {
  const CHECK_EVERY = 15000; // milliseconds, while a call is open
  const section = () => document.getElementById("calls");

  async function show(response) {
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const fresh = page.getElementById("calls");
    if (!response.ok || !fresh) throw new Error(response.status);
    const hadFocus = section().contains(document.activeElement);
    // The element that is read out stays, so that what is new in it is read out.
    const status = section().querySelector(".calls-status");
    const freshStatus = fresh.querySelector(".calls-status");
    if (status && freshStatus) {
      if (status.innerHTML !== freshStatus.innerHTML) status.innerHTML = freshStatus.innerHTML;
      section().querySelector(".calls-buttons").replaceWith(fresh.querySelector(".calls-buttons"));
      section().dataset.open = fresh.dataset.open;
    } else {
      section().replaceWith(fresh);
    }
    const [state, freshState] = [document, page].map((each) => each.querySelector(".calls-state"));
    if (state && freshState) state.textContent = freshState.textContent;
    if (hadFocus) section().querySelector(".button").focus({ preventScroll: true });
  }

  function showFailure(text) {
    const failed = section().querySelector(".calls-failed");
    failed.textContent = text;
    failed.hidden = !text;
  }

  // The form's own request: its redirect leads to this page, which shows the call.
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!form.closest("#calls")) return;
    event.preventDefault();
    const { submitter } = event;
    if (submitter.getAttribute("aria-disabled") === "true") return; // a double tap
    submitter.setAttribute("aria-disabled", "true");
    showFailure("");
    try {
      const body = new URLSearchParams(new FormData(form, submitter));
      const { waiting } = section().querySelector(".calls-failed").dataset;
      const request = { method: "POST", headers: { Accept: "text/html" }, body };
      const response = await window.sendAgain(form.action, request, () => showFailure(waiting));
      if (!response) throw new Error("no response");
      showFailure("");
      // The table was closed, or its code has to be scanned first: a page says so.
      if (response.status === 409) location.href = section().dataset.here;
      else if (response.status === 403) location.href = form.action.replace(/calls$/, "cart");
      else await show(response);
    } catch {
      submitter.removeAttribute("aria-disabled");
      showFailure(section().querySelector(".calls-failed").dataset.failed);
    }
  });

  async function check() {
    if (document.hidden || section().dataset.open === "0") return;
    try {
      await show(await fetch(section().dataset.here, { headers: { Accept: "text/html" }, signal: AbortSignal.timeout(10000) }));
    } catch {
      // the next time
    }
  }

  // A link to what is folded unfolds it, in every browser.
  const unfold = () => {
    const fold = document.getElementById(location.hash.slice(1))?.closest("details");
    if (!fold || fold.open) return;
    fold.open = true;
    fold.scrollIntoView({ block: "nearest" });
  };
  window.addEventListener("hashchange", unfold);
  unfold();

  if (section()) setInterval(check, CHECK_EVERY);
})();
