/* <time datetime="…" data-ago>17:08</time>: for how long, kept up to date, in the words of the list around it and as on
   the floor. Without JavaScript the time of day. */
(() => {
  "use strict";

  function age(minutes, words) {
    const hours = Math.floor(minutes / 60);
    if (minutes < 1) return words.now;
    if (hours < 1) return words.minutes.replace("{minutes}", minutes);
    if (hours >= 24) return words.days.replace("{days}", Math.floor(hours / 24));
    return words.hours.replace("{hours}", hours).replace("{minutes}", String(minutes % 60).padStart(2, "0"));
  }

  function show() {
    for (const time of document.querySelectorAll("time[data-ago]")) {
      const text = age(Math.floor((Date.now() - Date.parse(time.dateTime)) / 60_000), time.closest("[data-minutes]").dataset);
      if (time.textContent !== text) time.textContent = text;
    }
  }

  show();
  setInterval(show, 15_000);
})();
