/* Translations, number and time formats, announcements for screen readers, and DOM setters that write only what
   differs. Text comes from <template id="translations">; data is only ever inserted as text. */
import { sentences } from "../sentences.js";
import { write as setText } from "../words.js";

export { setText };

export const byId = (id) => document.getElementById(id);
const { lang, dataset } = document.documentElement;
export const language = dataset.formats; // in which names are sorted

/** The translation of a key, with {name} replaced by values.name. */
export const t = sentences(byId("translations"));

// --- formats ---

function inZone(language, options) {
  try {
    return new Intl.DateTimeFormat(language, { ...options, timeZone: document.body.dataset.timeZone });
  } catch {
    return new Intl.DateTimeFormat(language, options); // the browser does not know this zone
  }
}

/** Times of the venue, whatever zone this device is set to, in its format and with the words of the page. */
function timeFormat(options) {
  const own = inZone(dataset.formats, options);
  const words = inZone(lang, { ...options, hour12: own.resolvedOptions().hour12 });
  return {
    format(date) {
      const found = new Map(words.formatToParts(date).map(({ type, value }) => [type, value]));
      const isWord = ({ type }) => type === "weekday" || type === "dayPeriod";
      return own.formatToParts(date).map((part) => (isWord(part) ? found.get(part.type) : part.value)).join("");
    },
  };
}

const clockFormat = timeFormat({ hour: "2-digit", minute: "2-digit" });
const dayAndTime = timeFormat({ weekday: "short", hour: "2-digit", minute: "2-digit" });
const day = timeFormat({ year: "numeric", month: "2-digit", day: "2-digit" });
const withSeconds = timeFormat({ hour: "2-digit", minute: "2-digit", second: "2-digit" });
export const hourAndMinute = (time) => clockFormat.format(time);
/** A time to come, with its day where that is not today's. */
export const moment = (time, now) => (day.format(time) === day.format(now) ? clockFormat : dayAndTime).format(time);
export const toTheSecond = (time) => withSeconds.format(time);

const twoDigits = (number) => String(number).padStart(2, "0");

export function age(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes}:${twoDigits(seconds % 60)}` : inMinutes(milliseconds);
}

/** Without the seconds. */
export function inMinutes(milliseconds) {
  const minutes = Math.floor(milliseconds / 60_000);
  const hours = Math.floor(minutes / 60);
  if (minutes < 60) return t("age-minutes", { minutes });
  if (hours < 24) return t("age-hours", { hours, minutes: twoDigits(minutes % 60) });
  return t("age-days", { days: Math.floor(hours / 24) });
}

/** How many of an order's entry are not cancelled. */

export const remaining = (item) => item.quantity - (item.cancelledQuantity ?? 0);

// --- DOM ---

export function setHidden(element, hidden) {
  if (element.hidden !== hidden) element.hidden = hidden;
}

export function setData(element, name, value) {
  if (element.dataset[name] !== value) element.dataset[name] = value;
}

export const clone = (template) => byId(template).content.firstElementChild.cloneNode(true);

// --- announcements for screen readers ---

const COLLECT_FOR = 150; // milliseconds in which sentences are collected, to be read out together
const PAUSE = 3000; // milliseconds between two announcements
const MAX_NEW_ORDERS = 3; // announced one by one; more are only counted

let newOrders = [];
let others = [];
let timer = 0;
let announcedAt = -Infinity;

function flush() {
  timer = 0;
  announcedAt = performance.now();
  const count = newOrders.length;
  const orders = count > MAX_NEW_ORDERS ? [t("announce-new-orders", { count })] : newOrders;
  byId("announcer").textContent = [...orders, ...others].join(". ");
  newOrders = [];
  others = [];
}

export function announce(sentence, isNewOrder = false) {
  (isNewOrder ? newOrders : others).push(sentence);
  timer ||= setTimeout(flush, Math.max(COLLECT_FOR, announcedAt + PAUSE - performance.now()));
}
