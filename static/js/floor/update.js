/* Puts a newer version of the floor in place of the one on the screen, and keeps ages and times up to date: the place that
   is being looked at, the focus, what is open and what is being typed stay. What the server sends unchanged is left alone,
   whatever the page's forms say there meanwhile. */
import { put } from "../page.js";
import { ageText } from "../sentences.js";
import { updateShell } from "../shell.js";
import { write } from "../words.js";
import { word } from "./words.js";

const announcer = document.getElementById("announcer");
const sent = new WeakMap(); // elements with an id, and the HTML that the server sent for them
const title = document.title;

const main = () => document.getElementById("floor");

// Every response writes Django's token differently, and all of them are good.
const htmlOf = (element) => element.outerHTML.replace(/(name="csrfmiddlewaretoken" value=")\w+/g, "$1");

function remember(root) {
  for (const element of [root, ...root.querySelectorAll("[id]")]) sent.set(element, htmlOf(element));
}

function isUnchanged(old, fresh) {
  if (!fresh.getAttribute("id")) return false;
  const html = htmlOf(fresh);
  const isSame = sent.get(old) === html;
  sent.set(old, html);
  return isSame;
}

// --- what stays where it is ---

function anchor() {
  const inView = (element) => element.getBoundingClientRect().bottom > 0;
  const keyed = [...main().querySelectorAll("[data-keyed] > [id]:not([data-keyed])")].filter(inView);
  return keyed.slice(0, 8).map((element) => [element.id, element.getBoundingClientRect().top]);
}

/** Scroll so that the first that is still there has not moved. At the top of the page, what is new pushes it down. */
function restore(places) {
  if (!scrollY) return;
  const still = places.find(([id]) => document.getElementById(id));
  if (still) scrollBy(0, document.getElementById(still[0]).getBoundingClientRect().top - still[1]);
}

const sounding = () => [...main().querySelectorAll("[data-sounds]")];

/** The new version, as a document. Returns the kinds of what has come that sounds. */
export function update(page) {
  const fresh = page.getElementById("floor");
  const known = new Set(sounding().map((element) => element.id));
  const places = anchor();
  const focusAfter = document.querySelector("#now-name, h1");
  put(main(), fresh, { children: true, isKept: isUnchanged, added: remember, focusAfter });
  updateShell(page);
  for (const name of ["section", "next"]) main().dataset[name] = fresh.dataset[name] ?? "";
  restore(places);
  showAges();
  const came = sounding().filter((element) => !known.has(element.id));
  if (came.length) announcer.textContent = came.map((element) => element.dataset.announce).join(". ");
  showCount();
  return new Set(came.map((element) => element.dataset.sounds));
}

function showCount() {
  const count = sounding().length;
  document.title = count ? `(${count}) ${title}` : title;
}

// --- ages, by the server's clock ---

let offset = 0; // milliseconds

export function setClock(header) {
  const date = Date.parse(header);
  if (Number.isNaN(date)) return;
  const ahead = date - Date.now();
  offset = Math.abs(ahead) > 2000 ? ahead : 0;
}

/** Milliseconds until something here is everybody's that is not yet; NaN if nothing is. */
export const untilNext = () => Date.parse(main().dataset.next) - Date.now() - offset;

function showAges() {
  showLeft();
  for (const time of document.querySelectorAll("time[data-age]")) {
    const minutes = Math.max(0, Math.floor((Date.now() + offset - Date.parse(time.dateTime)) / 60_000));
    write(time, ageText(minutes, word));
    if (time.dataset.late) time.classList.toggle("is-late", minutes >= Number(time.dataset.late));
  }
}

/** The time until a moment, in minutes that have begun. */
function showLeft() {
  for (const time of document.querySelectorAll("time[data-left]")) {
    const minutes = Math.max(0, Math.ceil((Date.parse(time.dateTime) - Date.now() - offset) / 60_000));
    write(time, word("left", { left: minutes ? ageText(minutes, word) : word("minutes", { minutes }) }));
  }
}

remember(main());
showAges();
showCount();
setInterval(showAges, 5000);
