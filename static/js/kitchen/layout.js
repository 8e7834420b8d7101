/* How the columns share the board's width, and what leads to the tickets that are out of view.

   Tickets flow down a track and on in the next one: CSS columns, see kitchen_board.css. The fewer tracks, the larger are
   the tickets and what is on them. Where not even the narrowest tracks have room for all, the rest is a page further. */
import { byId, setData, setHidden, setText, t } from "./text.js";

const board = byId("board");
const LEAST = 3; // tracks, also of a station, which has two columns
const STAYS = 1.25; // by how much another column must be fuller to get one's track
const SCROLL_BACK_AFTER = 30_000; // milliseconds

const columns = [...board.querySelectorAll(".column")].map((section) => ({
  section,
  list: section.querySelector(".tickets"),
  more: section.querySelector(".more"),
}));
let held = []; // how many tracks each column had before

// --- tracks ---

/** One for each column, and the others for the fullest; none has more than it has tickets, if there are three in all. */
function share(tracks) {
  const spans = columns.map(() => 1);
  const need = ({ list }, place) => {
    const isEnough = spans[place] >= list.children.length && tracks > LEAST;
    const lines = list.children.length * 4 + list.querySelectorAll(".item").length;
    return isEnough ? 0 : (lines / spans[place]) * (held[place] > spans[place] ? STAYS : 1);
  };
  for (let left = tracks - columns.length; left > 0; left -= 1) {
    const needs = columns.map(need);
    const most = Math.max(...needs);
    if (most > 0 || tracks === LEAST) spans[needs.indexOf(most)] += 1;
  }
  columns.forEach(({ section }, place) => section.style.setProperty("--span", spans[place]));
  board.style.setProperty("--tracks", spans.reduce((all, each) => all + each));
}

const isWhole = ({ scrollWidth, scrollHeight, clientWidth, clientHeight }) =>
  scrollWidth <= clientWidth + 1 && scrollHeight <= clientHeight + 1;
const areWhole = (parts) => [...board.querySelectorAll(parts)].every(isWhole);

const LISTS = ".tickets";
const ALL = ".tickets, .ticket-items";
const TRIES = [["whole", ALL], ["short", ALL], ["short", LISTS]]; // long notes, and what has to be in view

/** The fewest tracks with which all is in view; if there are none, the most. */
function fit() {
  held = columns.map(({ section }) => Number(section.style.getPropertyValue("--span")));
  share(LEAST);
  board.style.removeProperty("--tracks");
  const most = Math.max(LEAST, getComputedStyle(board).gridTemplateColumns.split(" ").length);
  board.dataset.notes = "short";
  share(most);
  if (!areWhole(LISTS)) return;
  for (const [notes, parts] of TRIES) {
    board.dataset.notes = notes;
    for (let tracks = LEAST; tracks <= most; tracks += 1) {
      share(tracks);
      if (areWhole(parts)) return;
    }
  }
}

function refitNow() {
  for (const button of board.querySelectorAll(".more, .ticket-rest")) setHidden(button, true);
  document.body.classList.add("is-measuring");
  fit();
  document.body.classList.remove("is-measuring");
  updateHints();
}

let frame = 0;

/** After a change of tickets: once before the next frame. */
export function refit() {
  frame ||= requestAnimationFrame(() => {
    frame = 0;
    refitNow();
  });
}

new ResizeObserver(refit).observe(board);
addEventListener("resize", refit); // also of letters

// --- hints about what is out of view ---

/** Show `button` if `scroller` has more than is in view. `label` is called with the children that follow, or null at the end. */
function updateHint(scroller, button, label) {
  const isOut = !isWhole(scroller);
  if (isOut) {
    const { right, bottom } = scroller.getBoundingClientRect();
    const { scrollLeft, scrollTop, scrollWidth, scrollHeight, clientWidth, clientHeight } = scroller;
    const isAtEnd = scrollLeft + clientWidth >= scrollWidth - 2 && scrollTop + clientHeight >= scrollHeight - 2;
    const follows = (node) => {
      const box = node.getBoundingClientRect();
      return box.left > right - 8 || (box.top + box.bottom) / 2 > bottom;
    };
    setData(button, "leads", isAtEnd ? "back" : "on");
    label(isAtEnd ? null : [...scroller.children].filter(follows));
  }
  setHidden(button, !isOut);
  return isOut;
}

function updateColumnHint({ list, more }) {
  updateHint(list, more, (following) => {
    const tables = following?.map((node) => node.querySelector(".ticket-number").textContent).join(" · ");
    setText(more, following ? t("more", { count: following.length, tables }) : t("more-top"));
    setData(more, "late", String(Boolean(following?.some((node) => node.dataset.late))));
  });
}

function updateTicketHint(ticket) {
  const items = ticket.querySelector(".ticket-items");
  const rest = ticket.querySelector(".ticket-rest");
  const isOut = updateHint(items, rest, (following) => {
    const end = items.getBoundingClientRect().bottom + 8;
    const notes = following ? [...items.querySelectorAll(".item-note:not([hidden])")] : [];
    const isNoted = notes.some((note) => note.getBoundingClientRect().bottom > end);
    const key = following?.length === 0 ? "rest-end" : "rest";
    setText(rest, following ? t(`${key}${isNoted ? "-note" : ""}`, { count: following.length }) : t("rest-top"));
    rest.classList.toggle("has-notes", isNoted);
  });
  if (isOut) items.tabIndex = 0;
  else items.removeAttribute("tabindex");
}

export function updateHints() {
  columns.forEach(updateColumnHint);
  board.querySelectorAll(".ticket").forEach(updateTicketHint);
}

/** A page further, and from the end back to the beginning. */
function turn(scroller, { dataset }) {
  if (dataset.leads === "back") scroller.scrollTo({ top: 0, left: 0 });
  else scroller.scrollBy({ top: scroller.clientHeight * 0.8, left: scroller.clientWidth });
}

/** After a hand has moved it: no ticket is cut through. */
function toWholeTracks({ list, section }) {
  const track = (list.clientWidth + parseFloat(getComputedStyle(list).columnGap)) / section.style.getPropertyValue("--span");
  list.scrollTo({ left: Math.round(list.scrollLeft / track) * track });
}

columns.forEach((column) => column.list.addEventListener("scrollend", () => toWholeTracks(column)));

columns.forEach(({ list, more }) => more.addEventListener("click", () => turn(list, more)));

board.addEventListener("click", ({ target }) => {
  const rest = target.closest(".ticket-rest");
  if (rest) turn(rest.closest(".ticket").querySelector(".ticket-items"), rest);
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

// --- back to the oldest when nobody touches the screen ---

const timers = new WeakMap();

function scrollBackSoon(scroller) {
  clearTimeout(timers.get(scroller));
  const scrollBack = () => {
    if (scroller.querySelector(":focus-visible")) scrollBackSoon(scroller);
    else scroller.scrollTo({ top: 0, left: 0 });
  };
  timers.set(scroller, setTimeout(scrollBack, SCROLL_BACK_AFTER));
}

const scrolled = ({ target }) => {
  if (target === board) return;
  scrollBackSoon(target);
  updateHints();
};
board.addEventListener("scroll", scrolled, { passive: true, capture: true });
