// The floor keeps up with the tables: every few seconds the page is read again, and only what differs is replaced.
"use strict";

(() => {
  const EVERY = 8000; // milliseconds
  const stale = document.getElementById("stale");

  async function read() {
    if (document.hidden) return;
    const floor = document.getElementById("floor");
    try {
      const answer = await fetch(location.href, {
        headers: { Accept: "text/html" },
        signal: AbortSignal.timeout(EVERY),
      });
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("floor");
      if (!answer.ok || answer.redirected || !fresh) throw new Error("not the floor");
      stale.hidden = true;
      if (fresh.innerHTML === floor.innerHTML || floor.contains(document.activeElement)) return;
      floor.replaceWith(fresh);
    } catch {
      stale.hidden = false;
    }
  }

  setInterval(read, EVERY);
  document.addEventListener("visibilitychange", read);
  window.addEventListener("pageshow", (event) => event.persisted && read());
})();
