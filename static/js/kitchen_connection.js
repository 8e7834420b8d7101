/* The display's connection to the server: the socket, a poll of all open orders every few seconds, the server's
   clock, and whether what is on the screen is up to date.

   The socket delivers changes at once but has no heartbeat. The poll is the heartbeat, and overrides the socket:
   an outage ends with the first poll that succeeds while the socket is open. */
(() => {
  "use strict";

  // Milliseconds.
  const POLL_EVERY = 4000;
  const RETRY_POLL_AFTER = 1000;
  const POLL_TIMEOUT = 3000;
  const STALE_AFTER = 8000;
  const SOCKET_GRACE = 1000; // a socket that reconnects sooner is not an outage
  const START_GRACE = 3000;
  const WAKE_GRACE = 1500;
  const CONNECT_TIMEOUT = 5000;
  const BACKOFF = [500, 1000, 2000, 4000, 5000];

  const now = () => performance.now();

  let handlers; // {message, state, orders, change}, see start()
  let socketUrl;
  let pollUrl;

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
  let socketLostAt = 0; // null while it is open
  let socketOpenedAt = null;
  let pollFailed = false;
  let signedOut = false;
  let outage = null; // null or {kind: "missing" | "slow" | "signed-out", since}
  let graceUntil = 0;

  const silence = () => now() - (polledAt ?? startedAt);

  function checkOutage() {
    const socketGone = socketLostAt === null ? 0 : now() - socketLostAt;
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
    const since = kind === "slow" && socketLostAt !== null ? socketLostAt : (polledAt ?? startedAt);
    outage = { kind, since: isNew ? since : Math.min(since, outage.since) };
    // The socket seems open, but may be dead.
    if (isNew && socket && silence() > STALE_AFTER) reconnect();
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
    const socketBefore = isOpen() ? socket : null;
    const timeout = setTimeout(() => controller.abort(), POLL_TIMEOUT);
    let orders = null;
    let body = {};
    messagesDuringPoll = [];
    pollAgain = false;
    try {
      const headers = { Accept: "application/json" };
      const options = { headers, cache: "no-store", credentials: "same-origin", signal: controller.signal };
      const response = await fetch(pollUrl, options);
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
      if (socketBefore && socketBefore === socket && isOpen()) {
        outage = null;
        attempts = 0;
      }
      handlers.orders(orders, body.cancelled ?? [], messagesDuringPoll, from);
      handlers.state(body);
    }
    const regularly = POLL_EVERY - (now() - from);
    const pause = orders && pollAgain ? 0 : orders || signedOut ? regularly : RETRY_POLL_AFTER;
    pollTimer = setTimeout(poll, Math.max(pause, 0));
    checkOutage();
  }

  /** Poll now, or again as soon as the poll under way is done. */
  function pollSoon() {
    if (polling) pollAgain = true;
    else poll();
  }

  // --- the socket ---

  let socket = null;
  let attempts = 0;
  let retryTimer = 0;

  const isOpen = () => socket !== null && socket.readyState === WebSocket.OPEN;

  function drop() {
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
    socket = null;
  }

  function connect() {
    clearTimeout(retryTimer);
    drop();
    let opening;
    try {
      opening = socket = new WebSocket(socketUrl);
    } catch {
      onLost();
      return;
    }
    const timeout = setTimeout(() => socket === opening && onLost(), CONNECT_TIMEOUT);
    opening.onopen = () => {
      clearTimeout(timeout);
      socketLostAt = null;
      socketOpenedAt = now();
      poll();
    };
    opening.onmessage = (event) => {
      const message = parse(event.data);
      if (!message) return;
      messagesDuringPoll.push(message);
      handlers.message(message);
    };
    opening.onclose = () => {
      clearTimeout(timeout);
      onLost();
    };
  }

  function parse(text) {
    try {
      return JSON.parse(text);
    } catch {
      return null;
    }
  }

  function onLost() {
    drop();
    socketLostAt ??= now();
    clearTimeout(retryTimer);
    const wait = BACKOFF[Math.min(attempts, BACKOFF.length - 1)];
    attempts += 1;
    retryTimer = setTimeout(connect, wait * (1 + Math.random() / 2));
    pollSoon(); // to find out whether HTTP still works
  }

  function reconnect() {
    drop();
    socketLostAt ??= now();
    connect();
  }

  /** The page was shown or the network came back: do not wait for the next attempt. */
  function refresh() {
    graceUntil = now() + WAKE_GRACE;
    if (!isOpen()) {
      attempts = 0;
      connect();
    }
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
  function start(options, handlersToCall) {
    socketUrl = options.socketUrl;
    pollUrl = options.pollUrl;
    handlers = handlersToCall;
    startedAt = socketLostAt = now();
    graceUntil = startedAt + START_GRACE;
    connect();
    poll();
    setInterval(checkOutage, 500);
    addEventListener("online", refresh);
    addEventListener("pageshow", (event) => event.persisted && refresh());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && refresh());
  }

  window.kitchenConnection = {
    start,
    pollSoon,
    reconnect,
    /** The server's time in milliseconds, now or at an earlier moment of performance.now(). */
    serverTime: (moment = now()) => moment + offset,
    /** When the socket was opened, in the server's time; null while it is not open. */
    openSince: () => (socketLostAt === null ? socketOpenedAt + offset : null),
    state: () => ({ outage, connected: polledAt !== null && socketLostAt === null, silence: silence() }),
  };
})();
