/* <time datetime="…" data-ago>17:08</time>: how long ago that is, kept up to date. Without JavaScript the time of day. */
(() => {
  "use strict";

  const inWords = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "auto", style: "short" });

  function ago(minutes) {
    if (minutes < 1) return inWords.format(0, "second");
    return minutes < 60 ? inWords.format(-minutes, "minute") : inWords.format(-Math.floor(minutes / 60), "hour");
  }

  function show() {
    for (const time of document.querySelectorAll("time[data-ago]")) {
      const text = ago(Math.floor((Date.now() - Date.parse(time.dateTime)) / 60_000));
      if (time.textContent !== text) time.textContent = text;
    }
  }

  show();
  setInterval(show, 15_000);
})();
