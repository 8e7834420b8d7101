/* The display's connection to the server: the socket, a poll of all open orders every few seconds, the server's
   clock, and whether what is on the screen is up to date.

   The socket delivers changes at once but has no heartbeat. The poll is the heartbeat, and overrides the socket:
   an outage ends with the first poll that succeeds while the socket is open. */
import { request } from "../http.js";
import { connect } from "../live.js";
import { whenBack } from "../polling.js";

// Milliseconds.
const POLL_EVERY = 4000;
const RETRY_POLL_AFTER = 1000;
const POLL_TIMEOUT = 3000;
const STALE_AFTER = 8000;
const SOCKET_GRACE = 1000; // a socket that reconnects sooner is not an outage
const START_GRACE = 3000;
const WAKE_GRACE = 1500;
const CONNECT_WITHIN = 5000;

const now = () => performance.now();

let handlers; // {message, state, orders, change}, see start()
let pollUrl;
let socket; // of live.js

// --- the server's clock, from the Date header (in whole seconds) of every poll ---

let offset = Date.now() - now();
let lowest = -Infinity;
let highest = Infinity;

function updateClock(header, from, to) {
  const date = Date.parse(header);
  if (Number.isNaN(date)) return;
  lowest = Math.max(lowest, date - to);
  highest = Math.min(highest, date + 1000 - from);
  if (lowest > highest) {
    // One of the clocks was set, or this device slept.
    lowest = date - to;
    highest = date + 1000 - from;
  }
  offset = (lowest + highest) / 2;
}

// --- outages ---

let startedAt = 0;
let polledAt = null; // the latest successful poll
let pollFailed = false;
let signedOut = false;
let outage = null; // null or {kind: "missing" | "slow" | "signed-out", since}
let graceUntil = 0;

const silence = () => now() - (polledAt ?? startedAt);

function checkOutage() {
  const socketGone = socket.lostAt() === null ? 0 : now() - socket.lostAt();
  const inGrace = now() < graceUntil;
  const kind = pollFailed || polledAt === null ? "missing" : "slow";
  if (signedOut) setOutage("signed-out");
  else if (!inGrace && silence() > STALE_AFTER) setOutage("missing");
  else if (!inGrace && socketGone > SOCKET_GRACE) setOutage(kind);
  else if (outage) setOutage(kind); // until a poll ends it
  handlers.change();
}

function setOutage(kind) {
  if (outage && outage.kind === kind) return;
  const isNew = !outage;
  const since = (kind === "slow" && socket.lostAt()) || (polledAt ?? startedAt);
  outage = { kind, since: isNew ? since : Math.min(since, outage.since) };
  // The socket seems open, but may be dead.
  if (isNew && socket.isOpen() && silence() > STALE_AFTER) socket.reconnect();
}

// --- the poll of all open orders ---

let polling = null; // the AbortController of the request under way
let pollTimer = 0;
let pollAgain = false;
let messagesDuringPoll = [];

async function poll() {
  if (polling) polling.abort();
  clearTimeout(pollTimer);
  const controller = (polling = new AbortController());
  const from = now();
  const socketBefore = socket.current();
  const timeout = setTimeout(() => controller.abort(), POLL_TIMEOUT);
  let orders = null;
  let body = {};
  messagesDuringPoll = [];
  pollAgain = false;
  try {
    const response = await request(pollUrl, { signal: controller.signal });
    body = response.ok ? await response.json() : {};
    if (polling !== controller) return;
    signedOut = response.status === 401 || response.status === 403;
    if (Array.isArray(body.orders)) {
      orders = body.orders;
      updateClock(response.headers.get("Date"), from, now());
    }
  } catch {
    // No connection, too slow, or not JSON: `orders` stays null.
  } finally {
    clearTimeout(timeout);
  }
  if (polling !== controller) return;
  polling = null;
  pollFailed = orders === null;
  if (orders) {
    polledAt = now();
    if (socketBefore && socketBefore === socket.current()) outage = null;
    handlers.orders(orders, body.cancelled ?? [], messagesDuringPoll, from);
    handlers.state(body);
  }
  const regularly = POLL_EVERY - (now() - from);
  const pause = orders && pollAgain ? 0 : orders || signedOut ? regularly : RETRY_POLL_AFTER;
  pollTimer = setTimeout(poll, Math.max(pause, 0));
  checkOutage();
}

/** Poll now, or again as soon as the poll under way is done. */
export function pollSoon() {
  if (polling) pollAgain = true;
  else poll();
}

/** The page was shown or the network came back: do not wait for the next attempt. */
function refresh() {
  graceUntil = now() + WAKE_GRACE;
  socket.hurry();
  poll();
}

// --- the interface ---

/**
 * handlers.message(message): one of the socket's messages, as it arrives.
 * handlers.orders(orders, cancelled, messages, from): a poll's result: the open orders, and those that are cancelled
 *   and not acknowledged; `messages` arrived after it began, at `from`.
 * handlers.state(body): the poll's whole result, after that.
 * handlers.change(): twice a second, and whenever `state()` may have changed.
 */
export function start(options, handlersToCall) {
  pollUrl = options.pollUrl;
  handlers = handlersToCall;
  startedAt = now();
  graceUntil = startedAt + START_GRACE;
  socket = connect(options.socketUrl, {
    within: CONNECT_WITHIN,
    opened: poll,
    lost: pollSoon, // to find out whether HTTP still works
    message(message) {
      messagesDuringPoll.push(message);
      handlers.message(message);
    },
  });
  poll();
  setInterval(checkOutage, 500);
  whenBack(refresh);
}

export const reconnect = () => socket.reconnect();

/** The server's time in milliseconds, now or at an earlier moment of performance.now(). */
export const serverTime = (moment = now()) => moment + offset;

/** When the socket was opened, in the server's time; null while it is not open. */
export const openSince = () => (socket.isOpen() ? socket.openedAt() + offset : null);

export const state = () => ({ outage, connected: polledAt !== null && socket.isOpen(), silence: silence() });
