/* <time datetime="…" data-ago>17:08</time>: for how long by the server's clock, kept up to date, in the words of the list
   around it (`data-at` is when the server wrote that) and as on the floor. Without JavaScript the time of day. */
import { ageText } from "./sentences.js";
import { fill, write } from "./words.js";

// How far the server's clock is ahead. A page that a browser has kept says nothing about it.
const [opening] = performance.getEntriesByType("navigation");
const written = Date.parse(document.querySelector("[data-at]")?.dataset.at);
const ahead = opening?.type === "back_forward" || Number.isNaN(written) ? 0 : written - Date.now();

function show() {
  for (const time of document.querySelectorAll("time[data-ago]")) {
    const minutes = Math.floor((Date.now() + ahead - Date.parse(time.dateTime)) / 60_000);
    const words = time.closest("[data-minutes]").dataset;
    write(time, ageText(minutes, (key, values) => fill(words[key], values)));
  }
}

show();
setInterval(show, 15_000);
