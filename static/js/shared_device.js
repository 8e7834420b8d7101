// On a device that several people share: the page locks with it, and what was being typed waits for whoever typed it.
import { request } from "./http.js";
import { recall, remember } from "./storage.js";

const PREFIX = "typed ";
const KEPT_FOR = 24 * 3600 * 1000; // milliseconds
const AGAIN = 5; // seconds, while the network is away
const NEVER_KEPT = ["hidden", "password", "file", "submit", "button", "reset", "image"];

const TOKENS = ["csrfmiddlewaretoken", "idempotencyKey"];

const form = document.getElementById("shell-switch");
const { person, locksAfter } = form.dataset;
const key = `${PREFIX}${person} ${location.pathname}`;

let isLeaving = false;

const isChoice = (field) => ["checkbox", "radio"].includes(field.type);
const valueOf = (field) => (isChoice(field) ? field.checked : field.value);

function isFilled(field) {
  if (isChoice(field)) return field.checked !== field.defaultChecked;
  if (field.options) return [...field.options].some((option) => option.selected !== option.defaultSelected);
  return field.value !== field.defaultValue;
}

/** Fields by names that they have on the same page tomorrow too. */
function fields() {
  const found = new Map();
  for (const field of document.querySelectorAll("main :is(input, textarea, select)")) {
    if (!field.name || NEVER_KEPT.includes(field.type)) continue;
    const name = `${field.form?.getAttribute("action")} ${field.name} ${isChoice(field) ? field.value : ""}`;
    let nth = 0;
    while (found.has(`${name} ${nth}`)) nth += 1;
    found.set(`${name} ${nth}`, field);
  }
  return found;
}

// A form of which parts are made as it is filled in: its page makes them again, of what is sent there.
const grown = document.querySelector("main form[data-again]");
const ofForm = (form) => [...new FormData(form)].filter(([name]) => !TOKENS.includes(name));

function keep() {
  const typed = [...fields()].filter(([, field]) => isFilled(field)).map(([name, field]) => [name, valueOf(field)]);
  if (typed.length) remember(key, JSON.stringify({ at: Date.now(), typed, sent: grown && ofForm(grown) }));
}

function sendAgain(sent) {
  const copy = document.createElement("form");
  Object.assign(copy, { method: "post", action: grown.dataset.again, hidden: true });
  const tokens = [...new FormData(grown)].filter(([name]) => TOKENS.includes(name));
  for (const [name, value] of [...tokens, ...sent]) {
    copy.append(Object.assign(document.createElement("input"), { name, value }));
  }
  document.body.append(copy);
  isLeaving = true;
  copy.submit();
}

function putBack() {
  const { at, typed, sent } = JSON.parse(recall(key) || "{}");
  localStorage.removeItem(key);
  if (!typed || Date.now() - at > KEPT_FOR) return;
  if (grown && sent) return sendAgain(sent);
  const present = fields();
  for (const [name, value] of typed) {
    const field = present.get(name);
    if (!field) continue;
    field[isChoice(field) ? "checked" : "value"] = value;
    const folded = field.closest("details");
    if (folded) folded.open = true;
    for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }));
  }
}

function leave() {
  keep();
  isLeaving = true;
  location.assign(`/switch?next=${encodeURIComponent(location.pathname + location.search)}`);
}

let timer = 0;

function checkIn(seconds) {
  clearTimeout(timer);
  timer = setTimeout(check, seconds * 1000 + 200);
}

/** The server decides: whoever has done something meanwhile goes on. */
async function check() {
  try {
    const { current } = await (await request("/switch")).json();
    if (current?.username === person) checkIn(current.locksIn);
    else leave();
  } catch {
    checkIn(AGAIN);
  }
}

try {
  putBack();
} catch {
  // no storage, or nothing that can be read
}
form.addEventListener("submit", () => {
  keep();
  isLeaving = true;
});
// Nothing is lost: no page asks whether to stay.
addEventListener("beforeunload", (event) => isLeaving && event.stopImmediatePropagation(), { capture: true });
if (locksAfter) {
  checkIn(locksAfter * 60);
  document.addEventListener("visibilitychange", () => document.hidden || check()); // no timer runs on a device that sleeps
}
