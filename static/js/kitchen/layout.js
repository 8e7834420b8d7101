/* Fits the tickets to the screen, so that nobody has to scroll: the size of tickets, the width of columns, the length
   of notes, and hints about what is out of view all the same.

   A ticket is never taller than its column, so that its button is always visible; its items scroll if necessary. */
import { byId, setData, setHidden, setText, t } from "./text.js";

const board = byId("board");
const wideScreen = matchMedia("(min-width: 60rem) and (min-height: 34rem)"); // as in kitchen_board.css
const wall = matchMedia("(min-width: 100rem)");
const temporaryBars = [byId("undo-bar"), byId("connection-banner")]; // do not affect the sizes

// The largest first. Small type is better than a shortened note, which can be expanded, and that is better than a
// ticket out of view.
const SIZES = ["roomy", "snug", "dense"];
const WHOLE = SIZES.map((density) => ({ density, notes: "whole" }));
const SHORT = SIZES.map((density) => ({ density, notes: "short" }));
const CROWDED = 12; // tickets; with more, only the smallest size is tried
const ROW = 4; // pixels of the grid's rows, as in kitchen_board.css
const GAP = 12; // pixels between tickets
const LONG_NOTE = 7; // lines; longer notes are shortened
const SHORT_NOTE = 80; // characters that never take so many lines
const MIN_GAIN = 1.25; // by how much the fullest column must become less full for other widths
const SCROLL_BACK_AFTER = 30_000; // milliseconds

const columns = [...board.querySelectorAll(".column")].map((section) => ({
  section,
  list: section.querySelector(".tickets"),
  more: section.querySelector(".more"),
}));

/** Of a dense ticket with its gap, in pixels: it depends on the size of text. */

const narrowest = () => parseFloat(getComputedStyle(board).getPropertyValue("--narrowest")) * rem() + GAP;
const rem = () => parseFloat(getComputedStyle(document.documentElement).fontSize);
// A station's display has two columns, and most of its room is for what is to do.
const EQUAL = columns.length === 3 ? [1, 1, 1] : [2, 1];

// --- masonry: tickets span as many small grid rows as they are high ---

function pack(nodes) {
  const rows = nodes.map((node) => Math.ceil((node.offsetHeight + GAP) / ROW));
  nodes.forEach((node, place) => node.style.setProperty("--rows", rows[place]));
}

// A ticket grows with an expanded note, an error, or the stripes of a very late one.
const sizeObserver = new ResizeObserver((entries) => {
  requestAnimationFrame(() => {
    pack(entries.map((entry) => entry.target));
    updateHints();
  });
});

export const watch = (ticket) => sizeObserver.observe(ticket);
export const unwatch = (ticket) => sizeObserver.unobserve(ticket);

// --- sizes ---

function markLongNotes({ list }) {
  for (const text of list.querySelectorAll(".item-note-text")) {
    if (text.textContent.length < SHORT_NOTE) continue;
    const lines = text.scrollHeight / parseFloat(getComputedStyle(text).lineHeight);
    text.parentElement.classList.toggle("is-long", lines > LONG_NOTE + 0.5);
  }
}

/** On a tablet, in reach of the hands, the smallest text has the smallest tickets: as many as fit. */

const isDense = () => wideScreen.matches && !wall.matches && document.body.dataset.text === "1";

function sizesToTry(column) {
  if (!wideScreen.matches) return SHORT.slice(0, 1);
  if (isDense() && !isCrowded(column)) return [WHOLE.at(-1), SHORT.at(-1)];
  return isCrowded(column) ? SHORT.slice(-1) : [...WHOLE, ...SHORT];
}

const isCrowded = ({ list }) => list.children.length > CROWDED;

/** Use the largest size at which all tickets of the column are in view. False if not even the smallest fits. */
function fit(column) {
  const { list, section } = column;
  const tries = sizesToTry(column);
  section.classList.add("is-measuring");
  let fits = false;
  for (const { density, notes } of tries) {
    section.dataset.density = density;
    section.dataset.notes = notes;
    section.dataset.stations = density === SIZES.at(-1) && notes === "short" ? "close" : "above";
    if (notes === "short") markLongNotes(column);
    if (isCrowded(column)) break;
    pack([...list.children]);
    const bars = sum([...temporaryBars, column.more].map((bar) => bar.offsetHeight));
    fits = list.scrollHeight <= list.clientHeight + bars + 1;
    if (fits) break;
  }
  section.classList.remove("is-measuring");
  pack([...list.children]);
  return fits;
}

/** Columns side by side are of one size, that of the fullest. A crowded one does not make the others small.
    They name stations in one way: where one has no line to spare for the names, none has. */
function makeAlike() {
  const calm = columns.filter((column) => !isCrowded(column));
  const places = calm.map(({ section }) => SIZES.indexOf(section.dataset.density));
  const size = SIZES[Math.max(...places)];
  calm.filter(({ section }) => section.dataset.density !== size).forEach(({ list, section }) => {
    section.dataset.density = size;
    pack([...list.children]);
  });
  if (!columns.some(({ section }) => section.dataset.stations === "close")) return;
  columns.filter(({ section }) => section.dataset.stations !== "close").forEach(({ list, section }) => {
    section.dataset.stations = "close";
    pack([...list.children]);
  });
}

// --- the columns' widths, in tracks: a ticket's width each ---

let shares = null; // of the board's width, by column; null for equal widths

const LEAST_TRACKS = 3;
const mostTracks = () => Math.max(LEAST_TRACKS, Math.floor((board.clientWidth - 2 * GAP) / narrowest()));

function setWidths(next) {
  shares = next;
  const each = next ?? EQUAL;
  // With the gaps between them, so that a ticket is as wide in a column of two tracks as in one of one.
  const widths = each.map((share) => `calc((100% + var(--gap)) * ${share / sum(each)} - var(--gap))`);
  board.style.setProperty("--columns", widths.join(" "));
  columns.forEach(({ section }, place) => {
    if (isDense()) section.style.setProperty("--tracks", each[place]);
    else section.style.removeProperty("--tracks");
  });
}

const sum = (numbers) => numbers.reduce((all, each) => all + each, 0);
const lines = (node) => 4 + node.querySelector(".ticket-items").children.length;

/** Shares that make the fullest column least full. Null if equal widths are about as good. */
function sharesByLoad(current) {
  const counts = columns.map(({ list }) => list.children.length);
  const loads = columns.map(({ list }) => sum([...list.children].map(lines)));
  const tracks = mostTracks();
  // A column needs no more tracks than it has tickets: with few, all are wider.
  const fullness = (each) => loads.map((load, index) => load / Math.max(1, Math.min(each[index], counts[index])));
  const fullest = (each) => Math.max(...fullness(each));
  const best = columns.map(() => 1);
  for (let left = tracks - columns.length; left > 0; left -= 1) {
    const needs = fullness(best).map((full, index) => (best[index] < counts[index] ? full : 0));
    if (Math.max(...needs) > 0) best[needs.indexOf(Math.max(...needs))] += 1;
  }
  // A station has as many tracks as all of them at least, and what is left over is for what is to do.
  if (isDense()) best[0] += Math.max(0, LEAST_TRACKS - sum(best));
  const isPossible = current && sum(current) === sum(best);
  const unchanged = isPossible ? current : EQUAL.map((share) => Math.max(1, Math.floor((tracks * share) / sum(EQUAL))));
  if (fullest(unchanged) > MIN_GAIN * fullest(best)) return best;
  if (isDense() && !isPossible) return best;
  return isPossible ? current : null;
}

// --- a tablet held upright: two lanes, and what is ready below the shorter one ---

const upright = matchMedia("(min-width: 36rem) and (max-width: 59.99rem)"); // as in kitchen_board.css
const MUCH_SHORTER = 96; // pixels: for less, what is ready stays where it is
let hadReady = false;

function placeReady() {
  if (!upright.matches || columns.length < LEAST_TRACKS) return;
  const [left, right] = columns.map(({ section }) => section.offsetHeight);
  const isRight = board.dataset.ready === "right";
  // What becomes ready first begins on the left, unless the other column is shorter.
  const least = hadReady ? MUCH_SHORTER : isRight ? -ROW : ROW;
  if (isRight ? left + least < right : right + least < left) setData(board, "ready", isRight ? "left" : "right");
  hadReady = columns.at(-1).list.children.length > 0;
}

function refitNow() {
  const current = shares;
  const fitAll = () => columns.map(fit).every(Boolean);
  setWidths(isDense() || (wideScreen.matches && columns.some(isCrowded)) ? sharesByLoad(current) : null);
  if (!fitAll() && wideScreen.matches && !shares) {
    setWidths(sharesByLoad(current));
    if (shares) fitAll();
  }
  makeAlike();
  placeReady();
  updateHints();
}

let frame = 0;

/** After a change of tickets or columns: once before the next frame. */
export function refit() {
  frame ||= requestAnimationFrame(() => {
    frame = 0;
    refitNow();
  });
}

addEventListener("resize", refit);

// --- hints about what is out of view ---

/** Whether less than half of it is visible. */
function isBelow(node, end) {
  const { top, bottom } = node.getBoundingClientRect();
  return bottom > end + 8 && top + bottom > 2 * end;
}

/** Show `button` below `scroller` if that overflows. `label` is called with the children out of view. */
function updateHint(scroller, button, label) {
  const available = scroller.clientHeight + button.offsetHeight;
  const overflows = wideScreen.matches && scroller.scrollHeight > available + ROW; // rows are rounded up
  if (overflows) {
    const end = scroller.getBoundingClientRect().bottom;
    const atEnd = scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 2;
    setData(button, "leads", atEnd ? "up" : "down");
    label(atEnd ? null : [...scroller.children].filter((node) => isBelow(node, end)), end);
  }
  setHidden(button, !overflows);
  return overflows;
}

function updateColumnHint({ list, more }) {
  updateHint(list, more, (below) => {
    const tables = below && below.map((node) => node.querySelector(".ticket-number").textContent).join(" · ");
    const count = below && below.length;
    setText(more, t(!below ? "more-top" : count === 0 ? "more-rest" : "more", { count, tables }));
    const lateness = (below ?? []).map((node) => node.dataset.late);
    setData(more, "late", ["very-late", "late"].find((each) => lateness.includes(each)) ?? "");
  });
}

function updateTicketHint(ticket) {
  const items = ticket.querySelector(".ticket-items");
  const rest = ticket.querySelector(".ticket-rest");
  const overflows = updateHint(items, rest, (below, end) => {
    const notes = below ? [...items.querySelectorAll(".item-note:not([hidden])")] : [];
    const noted = notes.some((note) => note.getBoundingClientRect().bottom > end + 8);
    const count = below && below.length;
    const key = count === 0 ? "rest-end" : "rest";
    setText(rest, t(below ? `${key}${noted ? "-note" : ""}` : "rest-top", { count }));
    rest.classList.toggle("has-notes", noted);
  });
  if (overflows) items.tabIndex = 0;
  else items.removeAttribute("tabindex");
}

/** A ticket whose button would be cut off by the end of its column shows none, so that no bar crosses it. */
function markCut({ list }) {
  const end = list.getBoundingClientRect().bottom;
  for (const node of list.children) {
    const isCut = wideScreen.matches && node.getBoundingClientRect().bottom > end + 1;
    const isHidden = isCut && !node.querySelector(":focus-visible");
    node.classList.toggle("is-cut", isHidden);
    const head = node.querySelector(".ticket-head").getBoundingClientRect();
    node.classList.toggle("is-head-cut", isHidden && head.bottom > end);
  }
}

export function updateHints() {
  columns.forEach(updateColumnHint);
  columns.forEach(markCut);
  board.querySelectorAll(".ticket").forEach(updateTicketHint);
}

/** Scroll to the first child that is cut off, or by a page if it is at the top; from the end, back to the top. */
function scrollOn(scroller, button) {
  if (button.dataset.leads === "up") {
    scroller.scrollTo({ top: 0 });
    return;
  }
  const { top, bottom } = scroller.getBoundingClientRect();
  const cut = [...scroller.children].find((node) => node.getBoundingClientRect().bottom > bottom + 8);
  const distance = cut ? cut.getBoundingClientRect().top - top - GAP : 0;
  scroller.scrollBy({ top: distance > GAP ? distance : scroller.clientHeight * 0.8 });
}

columns.forEach(({ list, more }) => more.addEventListener("click", () => scrollOn(list, more)));

board.addEventListener("click", ({ target }) => {
  const rest = target.closest(".ticket-rest");
  if (rest) scrollOn(rest.closest(".ticket").querySelector(".ticket-items"), rest);
  const note = target.closest("[data-notes=short] .item-note.is-long");
  if (note) expandNote(note, !note.classList.contains("is-open"));
});

function expandNote(note, open) {
  const button = note.querySelector(".item-note-more");
  note.classList.toggle("is-open", open);
  button.setAttribute("aria-expanded", String(open));
  setText(button, t(open ? "note-less" : "note-more"));
  updateHints();
}

// --- scroll back to the oldest when nobody touches the screen ---

const timers = new WeakMap();

function scrollBackSoon(scroller) {
  clearTimeout(timers.get(scroller));
  if (scroller.scrollTop === 0 || !wideScreen.matches) return;
  const scrollBack = () => {
    if (scroller.querySelector(":focus-visible")) scrollBackSoon(scroller);
    else scroller.scrollTo({ top: 0 });
  };
  timers.set(scroller, setTimeout(scrollBack, SCROLL_BACK_AFTER));
}

const scrolled = ({ target }) => {
  if (target === board) return;
  scrollBackSoon(target);
  updateHints();
};
board.addEventListener("scroll", scrolled, { passive: true, capture: true });
