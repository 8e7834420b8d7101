// Keeps the floor, or a table's page, up to date: the socket says that something has changed, and the page is read anew.
import { pageOf, request } from "../http.js";
import { connect, oneAtATime } from "../live.js";
import { keepReading } from "../polling.js";
import { say } from "../words.js";
import { ring } from "./sound.js";
import { setClock, untilNext, update } from "./update.js";
import { word } from "./words.js";

// Milliseconds.
const POLL_EVERY = 4000;
const POLL_ANYWAY_EVERY = 12_000;
const POLL_AFTER_FAILURE = 2000;
const TIMEOUT = 5000;
const SOCKET_GRACE = 3000; // a socket that reconnects sooner is not worth a word
const LONGEST_TOUCH = 1500;
const AGAIN_AFTER = 500;
const DAY = 86_400_000;

const offline = document.getElementById("offline");
const now = () => performance.now();

// --- what is said about the connection ---

let readAt = Date.now();
let failed = false;
let signedOut = false;

/** As the venue writes it, with the words of the page. */
function timeOfDay(moment) {
  const { lang, dataset } = document.documentElement;
  const { hour12 } = new Intl.DateTimeFormat(dataset.formats, { hour: "numeric" }).resolvedOptions();
  return new Date(moment).toLocaleTimeString(lang, { hour: "2-digit", minute: "2-digit", hour12 });
}

function connectionText() {
  if (signedOut) return word("signed-out");
  if (failed) return word("offline", { time: timeOfDay(readAt) });
  const isSlow = socket.lostAt() !== null && now() - socket.lostAt() > SOCKET_GRACE;
  return isSlow ? word("slow") : "";
}

function showConnection() {
  say(offline, connectionText());
  offline.classList.toggle("notice-warn", !failed && !signedOut);
}

// --- reading the page ---

let isReading = false;
let next = 0;

/** Nobody says when what is for others becomes everybody's. */
function readThen() {
  clearTimeout(next);
  const wait = untilNext();
  if (wait < DAY) next = setTimeout(read, Math.max(wait, AGAIN_AFTER));
}

async function readOnce() {
  isReading = true;
  try {
    const response = await request(location.href.split("#")[0], { accept: "text/html", within: TIMEOUT });
    signedOut = response.redirected || response.status === 401 || response.status === 403;
    const page = await pageOf(response);
    if (!response.ok || !page.getElementById("floor")) throw new Error(response.status);
    await untilNotTouched();
    setClock(response.headers.get("Date"));
    for (const kind of update(page)) ring(kind);
    readThen();
    readAt = Date.now();
    failed = false;
  } catch {
    failed = true;
  }
  isReading = false;
  showConnection();
}

export const read = oneAtATime(readOnce);

// --- nothing moves away from under a finger ---

let touchedAt = null;
addEventListener("pointerdown", () => (touchedAt = now()));
for (const name of ["pointerup", "pointercancel"]) addEventListener(name, () => setTimeout(() => (touchedAt = null)));

async function untilNotTouched() {
  while (touchedAt !== null && now() - touchedAt < LONGEST_TOUCH) await new Promise((done) => setTimeout(done, 30));
}

readThen();
const socket = connect(document.getElementById("floor").dataset.socket, {
  opened: read, // what happened before it was open
  message: ({ type }) => type === "floor_update" && read(),
});
keepReading(() => isReading || read(), () => {
  if (failed) return POLL_AFTER_FAILURE;
  return socket.isOpen() ? POLL_ANYWAY_EVERY : POLL_EVERY;
});
setInterval(showConnection, 500);
addEventListener("offline", read);
