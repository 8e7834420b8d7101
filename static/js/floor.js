// Reloads the floor every few seconds, and replaces it if it differs.
"use strict";

(() => {
  const RELOAD_EVERY = 8000; // milliseconds
  const stale = document.getElementById("stale");

  async function reload() {
    if (document.hidden) return;
    const floor = document.getElementById("floor");
    try {
      const response = await fetch(location.href, {
        headers: { Accept: "text/html" },
        signal: AbortSignal.timeout(RELOAD_EVERY),
      });
      const fresh = new DOMParser().parseFromString(await response.text(), "text/html").getElementById("floor");
      if (!response.ok || response.redirected || !fresh) throw new Error("not the floor");
      stale.hidden = true;
      if (fresh.innerHTML === floor.innerHTML || floor.contains(document.activeElement)) return;
      floor.replaceWith(fresh);
    } catch {
      stale.hidden = false;
    }
  }

  setInterval(reload, RELOAD_EVERY);
  document.addEventListener("visibilitychange", reload);
  window.addEventListener("pageshow", (event) => event.persisted && reload());
})();
