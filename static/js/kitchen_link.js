/* The display's link to the server: the socket, the re-read of all open orders every few seconds, the server's
   clock, and whether what is on the screen can be believed.

   The socket tells of changes at once but has no heartbeat. The re-read is the heartbeat, and has the last word:
   the display is "down" until one succeeded while the socket was open. */
(() => {
  "use strict";

  const READ_EVERY = 4000;
  const READ_AGAIN = 1000; // after one that failed
  const READ_TIMEOUT = 3000;
  const STALE_AFTER = 8000;
  const SOCKET_GRACE = 1000; // a socket that is back sooner was never missed
  const START_GRACE = 3000;
  const CONNECT_TIMEOUT = 5000;
  const BACKOFF = [500, 1000, 2000, 4000, 5000];

  const now = () => performance.now();

  let hear; // {message, orders, change}, see start()
  let socketUrl;
  let readUrl;

  // --- the server's clock, learnt from the Date header (whole seconds) of every read ---

  let offset = Date.now() - now();
  let lowest = -Infinity;
  let highest = Infinity;

  function learnTime(header, from, to) {
    const date = Date.parse(header);
    if (Number.isNaN(date)) return;
    lowest = Math.max(lowest, date - to);
    highest = Math.min(highest, date + 1000 - from);
    if (lowest > highest) {
      // One of the clocks was set, or this machine slept.
      lowest = date - to;
      highest = date + 1000 - from;
    }
    offset = (lowest + highest) / 2;
  }

  // --- what can be believed ---

  let begun = 0;
  let lastWord = null; // when the last good read came
  let socketLostAt = 0; // null while it is open
  let socketOpenedAt = null;
  let readFailed = false;
  let signedOut = false;
  let down = null; // null or {kind: "missing" | "slow" | "signed-out", since}
  let patientUntil = 0;

  function judge() {
    const silent = now() - (lastWord ?? begun);
    const socketGone = socketLostAt === null ? 0 : now() - socketLostAt;
    const patient = now() < patientUntil;
    if (signedOut) setDown("signed-out");
    else if (!patient && silent > STALE_AFTER) setDown("missing");
    else if (!patient && socketGone > SOCKET_GRACE) setDown(readFailed || lastWord === null ? "missing" : "slow");
    else if (down) setDown(readFailed || lastWord === null ? "missing" : "slow"); // until a read says otherwise
    hear.change();
  }

  function setDown(kind) {
    if (down && down.kind === kind) return;
    const first = !down;
    const since = kind === "slow" && socketLostAt !== null ? socketLostAt : (lastWord ?? begun);
    down = { kind, since: first ? since : Math.min(since, down.since) };
    // Silence over a socket that seems open: nobody knows whether it still is.
    if (first && socket && silence() > STALE_AFTER) reconnect();
  }

  const silence = () => now() - (lastWord ?? begun);

  // --- reading all open orders ---

  let reading = null; // the AbortController of the read under way
  let readTimer = 0;
  let readOnceMore = false;
  let heardMeanwhile = [];

  async function read() {
    if (reading) reading.abort();
    clearTimeout(readTimer);
    const mine = (reading = new AbortController());
    const from = now();
    const throughSocket = isOpen() ? socket : null;
    const timeout = setTimeout(() => mine.abort(), READ_TIMEOUT);
    let orders = null;
    heardMeanwhile = [];
    readOnceMore = false;
    try {
      const headers = { Accept: "application/json" };
      const options = { headers, cache: "no-store", credentials: "same-origin", signal: mine.signal };
      const response = await fetch(readUrl, options);
      const body = response.ok ? await response.json() : {};
      if (reading !== mine) return;
      signedOut = response.status === 401 || response.status === 403;
      if (Array.isArray(body.orders)) {
        orders = body.orders;
        learnTime(response.headers.get("Date"), from, now());
      }
    } catch {
      // Not reached, too slow, or not JSON: `orders` stays null.
    } finally {
      clearTimeout(timeout);
    }
    if (reading !== mine) return;
    reading = null;
    readFailed = orders === null;
    if (orders) {
      lastWord = now();
      if (throughSocket && throughSocket === socket && isOpen()) {
        down = null;
        attempt = 0;
      }
      hear.orders(orders, heardMeanwhile, from);
    }
    const pause = orders && readOnceMore ? 0 : orders || signedOut ? READ_EVERY - (now() - from) : READ_AGAIN;
    readTimer = setTimeout(read, Math.max(pause, 0));
    judge();
  }

  /** Read soon; one that is under way is finished first. */
  function readSoon() {
    if (reading) readOnceMore = true;
    else read();
  }

  // --- the socket ---

  let socket = null;
  let attempt = 0;
  let retryTimer = 0;

  const isOpen = () => socket !== null && socket.readyState === WebSocket.OPEN;

  function forget() {
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
    socket = null;
  }

  function connect() {
    clearTimeout(retryTimer);
    forget();
    let mine;
    try {
      mine = socket = new WebSocket(socketUrl);
    } catch {
      lost();
      return;
    }
    const patience = setTimeout(() => socket === mine && lost(), CONNECT_TIMEOUT);
    mine.onopen = () => {
      clearTimeout(patience);
      socketLostAt = null;
      socketOpenedAt = now();
      read();
    };
    mine.onmessage = (event) => {
      const message = parsed(event.data);
      if (!message) return;
      heardMeanwhile.push(message);
      hear.message(message);
    };
    mine.onclose = () => {
      clearTimeout(patience);
      lost();
    };
  }

  function parsed(text) {
    try {
      return JSON.parse(text);
    } catch {
      return null;
    }
  }

  function lost() {
    forget();
    socketLostAt ??= now();
    clearTimeout(retryTimer);
    const wait = BACKOFF[Math.min(attempt, BACKOFF.length - 1)];
    attempt += 1;
    retryTimer = setTimeout(connect, wait * (1 + Math.random() / 2));
    readSoon(); // is it the socket alone?
  }

  function reconnect() {
    forget();
    socketLostAt ??= now();
    connect();
  }

  /** Somebody looks, or the network is back: no waiting for the next attempt. */
  function hurry() {
    patientUntil = now() + 1500;
    if (!isOpen()) {
      attempt = 0;
      connect();
    }
    read();
  }

  // --- the door ---

  /**
   * handlers.message(message): one of the socket's two messages, as it comes.
   * handlers.orders(orders, messages, from): a re-read; `messages` came after it was asked for, at `from`.
   * handlers.change(): twice a second, and whenever `state()` may be another.
   */
  function start(options, handlers) {
    socketUrl = options.socketUrl;
    readUrl = options.readUrl;
    hear = handlers;
    begun = socketLostAt = now();
    patientUntil = begun + START_GRACE;
    connect();
    read();
    setInterval(judge, 500);
    addEventListener("online", hurry);
    addEventListener("pageshow", (event) => event.persisted && hurry());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && hurry());
  }

  window.kitchenLink = {
    start,
    readSoon,
    reconnect,
    /** The server's time, in milliseconds; also for an earlier moment of performance.now(). */
    serverTime: (moment = now()) => moment + offset,
    /** When the open socket was opened, in the server's time; null while there is none. */
    openSince: () => (socketLostAt === null ? socketOpenedAt + offset : null),
    state: () => ({ down, connected: lastWord !== null && socketLostAt === null, silence: silence() }),
  };
})();
