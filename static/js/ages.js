/* <time datetime="…" data-ago>17:08</time>: for how long by the server's clock, kept up to date, in the words of the list
   around it (`data-at` is when the server wrote that) and as on the floor. Without JavaScript the time of day. */
(() => {
  "use strict";

  // How far the server's clock is ahead. A page that a browser has kept says nothing about it.
  const [opening] = performance.getEntriesByType("navigation");
  const written = Date.parse(document.querySelector("[data-at]")?.dataset.at);
  const ahead = opening?.type === "back_forward" || Number.isNaN(written) ? 0 : written - Date.now();

  function age(minutes, words) {
    const hours = Math.floor(minutes / 60);
    if (minutes < 1) return words.now;
    if (hours < 1) return words.minutes.replace("{minutes}", minutes);
    if (hours >= 24) return words.days.replace("{days}", Math.floor(hours / 24));
    return words.hours.replace("{hours}", hours).replace("{minutes}", minutes % 60);
  }

  function show() {
    for (const time of document.querySelectorAll("time[data-ago]")) {
      const text = age(Math.floor((Date.now() + ahead - Date.parse(time.dateTime)) / 60_000), time.closest("[data-minutes]").dataset);
      if (time.textContent !== text) time.textContent = text;
    }
  }

  show();
  setInterval(show, 15_000);
})();
