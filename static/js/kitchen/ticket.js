/* Tickets: an element for each order, which changes only where the order differs, so that it keeps the focus. */
import { create } from "../dom.js";
import { age, clone, hourAndMinute, inMinutes, remaining, setData, setHidden, setText, t } from "./text.js";

const { lateAfter, veryLateAfter, station } = document.body.dataset;

export const CANCELLED = "cancelled"; // shown in the column that it was in, until it is acknowledged
const LATE = Number(lateAfter) * 60_000;
const VERY_LATE = Number(veryLateAfter) * 60_000;

/** Whether its course was not fired yet. */
export const waits = (item) => Boolean(item.waits) && remaining(item) > 0;
const toMake = (items) => items.filter((item) => !item.done && !waits(item) && remaining(item) > 0);
/** Since when entries are made: since their course was fired, or the order placed. */
const begun = (items, placedAt) => items.map(({ firedAt }) => (firedAt ? Date.parse(firedAt) : placedAt));

/** How long after the first has begun one is late that is not done: their categories may have minutes of their own. */
function lateFrom({ items, status, placedAt }) {
  const left = toMake(items);
  if (status === "ready" || !left.length) return LATE;
  const times = begun(left, placedAt);
  return Math.min(...left.map((item, place) => times[place] + (item.lateAfter ? item.lateAfter * 60_000 : LATE))) - Math.min(...times);
}
const LONG_NOTE = 160; // characters; seven lines of a narrow ticket
const OLDEST = { cooking: 3, ready: 2 }; // of the very late ones, so many stand out

const PARTS = ["table", "number", "count", "new", "time", "error", "items", "next", "by"];
PARTS.push("first", "late", "at", "menu", "cancelled", "allergy", "allergies", "also");

export const itemCount = (items) => items.reduce((sum, item) => sum + remaining(item), 0);
export const isDone = (items) => toMake(items).length === 0;
/** Whether there is nothing to make until another course is fired. */
export const isIdle = (items) => isDone(items) && items.some(waits);
/** And nothing was made yet. */
export const isToCome = (items) => isIdle(items) && !items.some((item) => item.done);
const allergens = (words) => words.map((word) => t(`allergen-${word}`)).join(", ");

/** The first name of who has told one; of others, and who joined since this page was opened, the user name. */
function nameOf(user) {
  const key = `staff-${user}`;
  const name = t(key);
  return name === key ? user : name;
}

export function make(id) {
  const node = clone("ticket-template");
  node.dataset.order = id;
  const parts = { node, signature: "", lines: [] };
  for (const name of PARTS) parts[`$${name}`] = node.querySelector(`.ticket-${name}`);
  parts.$label = node.querySelector(".ticket-next-label");
  parts.$nextTable = node.querySelector(".ticket-next-table");
  parts.$menuTable = node.querySelector(".ticket-menu-table");
  parts.$table.id = `table-of-${id}`;
  node.setAttribute("aria-labelledby", parts.$table.id);
  return parts;
}

// --- what is on it ---

/** On the display of all stations, a ticket's entries are together by station, under its name; what has none is marked on all. */
function byStation(items) {
  if (!station && !items.some((item) => item.station)) return items.map((item) => ({ item, heading: "" }));
  const slugs = [...new Set(items.map((item) => item.station ?? ""))].sort((a, b) => !a - !b || (a < b ? -1 : 1));
  return slugs.flatMap((slug) => {
    const own = items.filter((item) => (item.station ?? "") === slug);
    const name = slug && slug === station ? "" : t(slug ? `station-${slug}` : "station-none");
    return own.map((item, place) => ({ item, heading: place ? "" : name }));
  });
}

function showLine(line, { item, heading }, { language, isOpen }) {
  const find = (name) => line.querySelector(`.item-${name}`);
  const left = remaining(item);
  const done = Boolean(item.done) && left > 0;
  line.dataset.position = item.position;
  setText(find("station"), heading);
  setHidden(find("station"), !heading);
  setText(find("count"), String(left || item.quantity));
  find("quantity").classList.toggle("is-several", left > 1);
  setText(find("name"), item.name);
  line.classList.toggle("is-cancelled", left === 0);
  line.classList.toggle("is-done", done);
  line.classList.toggle("is-waiting", waits(item));
  setText(find("later"), waits(item) ? t("after-course", { course: item.course - 1 }) : "");
  setHidden(find("later"), !waits(item));
  find("tick").setAttribute("aria-pressed", String(done));
  find("tick").setAttribute("aria-disabled", String(left === 0 || waits(item) || !isOpen));
  const options = (item.options ?? []).map((option) => option.name);
  if (find("options").dataset.options !== options.join("\n")) {
    find("options").dataset.options = options.join("\n");
    find("options").replaceChildren(...options.map((textContent) => create("span", { className: "item-option", textContent })));
  }
  const alert = left ? (item.alert ?? []) : [];
  setText(find("alert"), alert.length ? t("alert", { allergens: allergens(alert) }) : "");
  setHidden(find("alert"), !alert.length);
  // Of an entry that is cancelled as a whole, its quantity is struck through already.
  setText(find("gone"), left ? `${item.quantity - left}×` : "");
  setHidden(find("cancelled"), left === item.quantity);
  const note = (item.specialInstructions || "").trim();
  const typed = t("note", { note: language ? `\u2068${note}\u2069` : note }); // from right to left, perhaps
  setText(find("note-text"), note && [language && t(`language-${language}`), typed].filter(Boolean).join(" "));
  find("note").classList.toggle("is-long", note.length > LONG_NOTE);
  setHidden(find("note"), note === "" || left === 0);
}

function showItems(parts, items, how) {
  const lines = [...byStation(items.filter((item) => !waits(item))), ...byStation(items.filter(waits))];
  if (parts.lines.length !== lines.length) {
    parts.lines = lines.map(() => clone("item-template"));
    parts.$items.replaceChildren(...parts.lines);
  }
  lines.forEach((line, place) => showLine(parts.lines[place], line, how));
}

function showOrder(parts, { order, items, status }) {
  const count = itemCount(items);
  const table = t("table", { table: order.tableNumber });
  setText(parts.$number, String(order.tableNumber));
  setData(parts.node, "digits", String(parts.$number.textContent.length));
  showItems(parts, items, { language: order.language, isOpen: status !== CANCELLED });
  setText(parts.$count, t("items", { count }));
  for (const part of [parts.$nextTable, parts.$menuTable]) setText(part, table);
  setText(parts.$by, order.placedBy ? t("placed-by", { name: nameOf(order.placedBy) }) : "");
  setHidden(parts.$by, !order.placedBy);
  setText(parts.$allergies, allergens(order.allergies ?? []));
  setHidden(parts.$allergy, !order.allergies?.length);
}

/** How far the other stations are with an order, of which these are all entries: as `GET /kitchen/{slug}` says it. */
export function progress(items) {
  const found = new Map();
  for (const item of items.filter((each) => each.station && each.station !== station)) {
    const other = found.get(item.station) ?? { name: t(`station-${item.station}`), done: 0, count: 0 };
    const left = remaining(item);
    found.set(item.station, { ...other, done: other.done + (item.done ? left : 0), count: other.count + left });
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The other stations that are at it, and how far; or once this one is done, those that it waits for. */
function showAlso(parts, { order, items, status }) {
  const isWaiting = station && status !== "ready" && isDone(items) && !isToCome(items);
  const others = (order.otherProgress ?? []).filter(({ done, count }) => (isWaiting ? done < count : count > 0));
  setHidden(parts.$also, !others.length || status === CANCELLED);
  const shown = JSON.stringify([isWaiting, others]);
  if (parts.$also.dataset.shown === shown) return;
  parts.$also.dataset.shown = shown;
  parts.$also.replaceChildren(t(isWaiting ? "waits-for" : "also"), ...others.flatMap((other) => [" ", stationChip(other)]));
}

function stationChip(other) {
  const chip = create("b", { className: "ticket-station", textContent: t("station-progress", other) });
  chip.classList.toggle("is-whole", other.done === other.count);
  return chip;
}

/** What the button does: the words for `${...}-next`, or of a station. */
export function nextStep({ status, items }) {
  if (!(station || items.some(waits)) || status === "ready" || status === CANCELLED) return `${status}-next`;
  if (isIdle(items) && (!station || isToCome(items))) return "waits";
  if (isDone(items)) return "not-done";
  return status === "preparing" ? "all-done" : `${status}-next`;
}

export function show(parts, record, time) {
  const { order, items, status } = record;
  const isCancelled = status === CANCELLED;
  const signature = JSON.stringify([order.tableNumber, items, order.placedBy, order.allergies, status]);
  if (parts.signature !== signature) {
    parts.signature = signature;
    showOrder(parts, record);
  }
  const sending = record.move !== null && !record.move.acknowledged;
  setData(parts.node, "status", status);
  setData(parts.node, "next", nextStep(record));
  showAlso(parts, record);
  parts.node.classList.toggle("is-sending", sending);
  parts.node.classList.toggle("is-new", record.newUntil > time);
  setHidden(parts.$new, !(record.newUntil > time));
  parts.node.classList.toggle("is-idle", isIdle(record.items));
  parts.node.classList.toggle("is-first", Boolean(order.prioritised));
  setHidden(parts.$first, !order.prioritised);
  setHidden(parts.$cancelled, !isCancelled);
  setHidden(parts.$menu, isCancelled);
  setText(parts.$error, record.error);
  setHidden(parts.$error, record.error === "");
  setText(parts.$label, t(sending ? "sending" : nextStep(record)));
  // `disabled` would lose the focus.
  parts.$next.setAttribute("aria-disabled", String(sending || nextStep(record) === "waits"));
}

// --- how old it is ---

/** What a ticket waits for: the kitchen, once it is ready a waiter, or at a station that is done the other ones. */
function waitsFor({ status, items }) {
  if (status === "ready") return "ready";
  return station && status !== CANCELLED && isDone(items) && !isToCome(items) ? "done" : "ordered";
}

/** Since when, in milliseconds. What has just changed on this display, the server has not said yet. */
function waitsSince(record) {
  const { order, becameReady, becameDone, placedAt } = record;
  const ordered = Math.min(...begun(toMake(record.items), placedAt));
  const times = { ready: [order.readyAt, becameReady], done: [order.doneAt, becameDone], ordered: ["", Number.isFinite(ordered) ? ordered : null] };
  const [said, seen] = times[waitsFor(record)];
  return said ? Date.parse(said) : (seen ?? placedAt);
}

/** The oldest of the very late ones: when all are late, they still stand out. */
function oldest(records, time) {
  const found = new Set();
  for (const [kind, most] of Object.entries(OLDEST)) {
    const own = records.filter(({ status }) => status !== CANCELLED && (status === "ready") === (kind === "ready"));
    const late = own.filter((record) => !isIdle(record.items) && time - waitsSince(record) >= lateFrom(record) + VERY_LATE - LATE && !(station && record.column === "ready"));
    late.sort((a, b) => waitsSince(a) - waitsSince(b));
    for (const record of late.slice(0, most)) found.add(record);
  }
  return found;
}

function lateness(milliseconds, from) {
  if (milliseconds >= from + VERY_LATE - LATE) return "very-late";
  return milliseconds >= from ? "late" : "";
}

/** By how much, from a minute on. */
function lateWords(over) {
  return over < 60_000 ? t("late") : t("late-by", { time: inMinutes(over) });
}

/** How much of the time until it is late has passed, in per cent: nothing where no time is of interest any more. */
function showShare(node, milliseconds, from, isOver) {
  const share = String(Math.min(100, Math.max(0, Math.floor((milliseconds / from) * 100))));
  setData(node, "timed", isOver ? "no" : "yes");
  if (node.style.getPropertyValue("--share") !== share) node.style.setProperty("--share", share);
}

export function showAges(tickets, records, time) {
  const first = oldest(records, time);
  for (const record of records) {
    const parts = tickets.get(record.order.orderId);
    if (!parts) continue;
    const since = waitsSince(record);
    const kind = waitsFor(record);
    const isOver = record.status === CANCELLED || kind === "done" || isIdle(record.items);
    const from = lateFrom(record);
    const late = isOver ? "" : lateness(time - since, from);
    setData(parts.node, "late", late);
    showShare(parts.node, time - since, from, isOver);
    parts.node.classList.toggle("is-oldest", first.has(record));
    setText(parts.$late, late ? lateWords(time - since - from) : "");
    setText(parts.$at, t(`${kind}-at`, { time: hourAndMinute(since) }));
    setText(parts.$time, age(time - since));
    const dateTime = new Date(since).toISOString();
    if (parts.$time.dateTime !== dateTime) parts.$time.dateTime = dateTime;
  }
}
