// Polls what has sold out: every few seconds, and when the page becomes visible again.
"use strict";

window.watchSoldOut = (url, show) => {
  const INTERVAL = 8000; // milliseconds

  async function poll() {
    if (document.hidden) return;
    try {
      const response = await fetch(url, {
        headers: { Accept: "application/json" },
        signal: AbortSignal.timeout(INTERVAL),
      });
      if (response.ok) show(new Set((await response.json()).soldOut));
    } catch {
      // offline: the server checks every order anyway
    }
  }

  // Spread the phones of a full house over the interval.
  setTimeout(() => setInterval(poll, INTERVAL), Math.random() * INTERVAL);
  document.addEventListener("visibilitychange", poll);
  window.addEventListener("pageshow", (event) => event.persisted && poll());
};
