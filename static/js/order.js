// Follows one order: over the socket, and by polling while there is none.
import "./calls.js";
import { fieldsOf, isBusy, pageOf, readPage, request, setReady } from "./http.js";
import { connect, oneAtATime } from "./live.js";
import { decimals } from "./money.js";
import "./order_push.js";
import { put, putParts } from "./page.js";
import { keepReading } from "./polling.js";
import { sendAgain } from "./send_again.js";
import { say } from "./words.js";

// Milliseconds.
const POLL_EVERY = 5000;
const POLL_ANYWAY_EVERY = 20_000;
const TIMEOUT = 4000;
const BACK_SHOWN = 6000;

const order = document.getElementById("order");
const stale = document.getElementById("stale");
const back = document.getElementById("back");
const address = `/orders/${order.dataset.order}`;

const stateOf = (page, status) => page.querySelector(`[data-for="${status}"]`);

function show(status) {
  if (order.dataset.status === status || !stateOf(order, status)) return;
  order.dataset.status = status;
  order.dataset.moved = ""; // from now on a change is animated
  if (status === "ready") buzz();
  for (const state of order.querySelectorAll("[data-for]")) {
    state.hidden = state.dataset.for !== status;
    if (!state.hidden) document.title = state.dataset.title;
  }
  for (const step of order.querySelectorAll("[data-step]")) step.toggleAttribute("aria-current", step.dataset.step === status);
}

// Phones allow it once the page was touched.
function buzz() {
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (!isStill && navigator.userActivation?.hasBeenActive) navigator.vibrate?.([180, 90, 180]);
}

// --- cancelling ---

let cancelling = false; // what is said of it stays

document.addEventListener("submit", async (event) => {
  const form = event.target.closest("#cancel form");
  if (!form) return;
  event.preventDefault();
  const [button, message] = form.querySelectorAll("button, .notice");
  if (isBusy(button)) return;
  cancelling = true;
  say(message, "");
  const sent = { accept: "text/html", body: fieldsOf(form) };
  const response = await sendAgain(form.action, sent, () => say(message, message.dataset.waiting));
  cancelling = false;
  setReady(button);
  say(message, response ? "" : message.dataset.unsure);
  if (response && response.ok) showPage(await pageOf(response));
  else if (response) form.submit(); // too late, and a page says why
});

// --- whether what is shown is up to date ---

let losses = 0;

function lose() {
  losses += 1;
  stale.hidden = false;
  back.hidden = true;
}

function recover() {
  if (stale.hidden) return;
  stale.hidden = true;
  back.hidden = false;
  readAnew();
  setTimeout(() => (back.hidden = true), BACK_SHOWN);
}

// The moment from which it takes longer than usual; the server says how.
let late = 0;
function watchWait(page) {
  clearTimeout(late);
  const left = page.querySelector("[data-late-in]")?.dataset.lateIn;
  if (left) late = setTimeout(readAnew, (Number(left) + 1) * 1000);
}

// --- the page anew: what is ordered, what it comes to, what can be done ---

const readAnew = oneAtATime(async () => {
  try {
    const page = await readPage(address, { within: TIMEOUT });
    if (page.getElementById("order")) showPage(page);
  } catch {
    // the next poll finds the difference again
  }
});

function showPage(page) {
  const fresh = page.getElementById("order");
  watchWait(fresh);
  const parts = [...document.querySelectorAll("[data-part]")].map((each) => each.dataset.part);
  const shown = parts.filter((name) => !(cancelling && name === "actions"));
  putParts(page, shown.map((name) => `[data-part="${name}"]`));
  for (const state of order.querySelectorAll("[data-for]")) {
    const next = stateOf(fresh, state.dataset.for);
    state.dataset.title = next.dataset.title;
    put(state, next, { children: true });
  }
  order.dataset.shown = fresh.dataset.shown;
  show(fresh.dataset.status);
  document.title = stateOf(order, order.dataset.status).dataset.title;
}

// --- polling, and the socket ---

async function poll() {
  const before = losses;
  try {
    const response = await request(address, { within: TIMEOUT });
    if (!response.ok) throw new Error(response.status);
    const { tableNumber, status, total, items, points } = await response.json();
    const done = items.reduce((sum, item) => sum + Boolean(item.done) + Boolean(item.served), 0);
    const collected = Boolean(points && points.collectedAt);
    show(status);
    if (losses === before) recover(); // else the response was on its way when the connection was lost
    if (order.dataset.shown !== `${tableNumber} ${status} ${total.toFixed(decimals)} ${done} ${collected}`) readAnew();
  } catch {
    lose();
  }
}

const socket = connect(order.dataset.socket, {
  opened: poll, // what happened before it was open
  message({ orderId, type, status }) {
    if (orderId !== order.dataset.order) return;
    if (type === "status_update") show(status);
    if (type === "status_update" || type === "order_update") readAnew();
  },
});
keepReading(poll, () => (socket.isOpen() ? POLL_ANYWAY_EVERY : POLL_EVERY));
watchWait(order);
// Before the guest confirms it: the docket may be printed by now, or the bill paid.
order.addEventListener("click", (event) => event.target.closest("#cancel > summary") && readAnew());
addEventListener("offline", lose);
