/* What needs attention, in the header of a page that stays open: taken from /attention every so many seconds
   (`data-every` of this script), or from the page that somebody else has read (`shell.update`). */
(() => {
  "use strict";

  const every = Number(document.currentScript.dataset.every) * 1000;
  const ID = "attention";
  let latest = null; // the HTML that the server sent

  const isUsed = (old) => old.contains(document.activeElement) || old.querySelector(":popover-open");

  /** `page`: a document with the header of the same person. */
  function update(page) {
    const [old, fresh] = [document, page].map((each) => each.getElementById(ID));
    latest ??= old?.outerHTML;
    if (!old || !fresh || fresh.outerHTML === latest) return;
    latest = fresh.outerHTML;
    if (!isUsed(old)) return old.replaceWith(fresh);
    // Somebody reads the list: the button and the panel stay, and get what is in them.
    for (const part of ["button", "#shell-needs"]) {
      const [there, now] = [old, fresh].map((each) => each.querySelector(part));
      if (there.contains(document.activeElement) && there !== document.activeElement) continue;
      there.replaceChildren(...now.childNodes);
      if (now.hasAttribute("aria-label")) there.setAttribute("aria-label", now.getAttribute("aria-label"));
    }
  }

  async function read() {
    if (document.hidden) return;
    try {
      const response = await fetch("/attention", { headers: { Accept: "text/html" }, cache: "no-store", signal: AbortSignal.timeout(5000) });
      if (response.ok && !response.redirected) update(new DOMParser().parseFromString(await response.text(), "text/html"));
    } catch {
      // The page says itself when it is not connected.
    }
  }

  window.shell = { update };
  if (every) {
    setInterval(read, every);
    document.addEventListener("visibilitychange", read);
  }
})();
