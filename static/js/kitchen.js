/* The kitchen display: which orders there are, and what the cooks do with them.

   Every order has a record. `server` is the status that the server told last, `status` the one on the screen. They
   differ only while a move of ours is under way (`move`), and the server's wins when that fails. `heard`: the socket
   told of it when it was new. */
(() => {
  "use strict";

  const { kitchenBoard: board, kitchenLink: link, kitchenSound: sound, kitchenMemory: memory } = window;
  const { kitchenRecall: recall } = window;
  const { OPEN } = board;
  const { byId, word, announce } = window.kitchenWords;
  const options = document.body.dataset;

  const NEXT = { pending: "preparing", preparing: "ready", ready: "served" };
  const GONE = "gone"; // it left the open orders, and nobody said how
  const POST_TIMEOUT = 6000;
  const UNDO_FOR = 8000;
  const NEW_FOR = 15000;
  const DOUBLE_TAP = 300; // milliseconds, and
  const SAME_PLACE = 40; // pixels, within which a second tap is not meant for the ticket that moved up

  const records = new Map();
  let hasRead = false;

  const now = () => performance.now();
  const isOpen = (record) => OPEN.includes(record.status);

  function inOrder() {
    const open = [...records.values()].filter(isOpen);
    return open.sort((a, b) => a.at - b.at || (a.order.orderId < b.order.orderId ? -1 : 1));
  }

  // --- what the server says ---

  /** `asOf`: the moment of performance.now() at which the server's word was true. */
  function told(record, status, asOf) {
    if (asOf < record.settled) return; // asked for before our own move was done
    const { move } = record;
    record.server = status;
    if (move && !move.echoed && status === move.to) {
      move.echoed = true;
      record.settled = now();
    }
    if (move && (!move.echoed || move.next)) return;
    if (record.status === status) return;
    Object.assign(record, { status, problem: "", newUntil: 0 }); // another display moved it
  }

  function met(order, asOf) {
    const record = records.get(order.orderId);
    if (record) {
      record.order = order;
      record.at = Date.parse(order.createdAt);
      told(record, order.status, asOf);
      return;
    }
    if (!OPEN.includes(order.status)) return;
    const isNew = hasRead && order.status === "pending";
    remember(order, order.status, { newUntil: isNew ? link.serverTime() + NEW_FOR : 0 });
    if (isNew) welcome(order);
  }

  function remember(order, status, more) {
    const at = Date.parse(order.createdAt);
    const fresh = { settled: -Infinity, move: null, problem: "", newUntil: 0, leftAt: null, heard: false };
    records.set(order.orderId, { order, at, status, server: status, ...fresh, ...more });
  }

  function welcome(order) {
    const count = board.pieces(order);
    sound.chime();
    announce(word(count === 1 ? "say-new-one" : "say-new-many", { table: order.tableNumber, count }), true);
  }

  function onMessage(message) {
    take(message);
    show();
  }

  function take(message) {
    if (message.type === "new_order") {
      met(message.order, now());
      const heard = records.get(message.order.orderId);
      if (heard) heard.heard = true;
    }
    if (message.type !== "status_update") return;
    const record = records.get(message.orderId);
    if (record) told(record, message.status, now());
    else if (OPEN.includes(message.status)) link.readSoon();
  }

  function onOrders(orders, messages, from) {
    const listed = new Set(orders.map((order) => order.orderId));
    if (orders.some(wasMissed)) link.reconnect();
    orders.forEach((order) => met(order, from));
    for (const [id, record] of records) {
      if (!listed.has(id) && OPEN.includes(record.server)) told(record, GONE, from);
    }
    // What the socket said meanwhile may be newer. An order that is listed is not met again: the list is newer than
    // its first notice, and a change after the list has a message of its own.
    const newer = messages.filter((each) => each.type !== "new_order" || !listed.has(each.order.orderId));
    newer.forEach(take);
    hasRead = true;
    show();
  }

  /** A new order that the open socket should have told of long ago: the socket is deaf. */
  function wasMissed(order) {
    const placed = Date.parse(order.createdAt);
    const since = link.openSince();
    if (records.get(order.orderId)?.heard || order.status !== "pending") return false;
    return since !== null && placed > since + 2000 && placed < link.serverTime() - 1500;
  }

  // --- moving an order on, and back ---

  async function send(id, status) {
    const giveUp = new AbortController();
    const timeout = setTimeout(() => giveUp.abort(), POST_TIMEOUT);
    let answer;
    try {
      const response = await fetch(`${options.orders}${encodeURIComponent(id)}/status`, {
        method: "POST",
        credentials: "same-origin",
        headers: { Accept: "application/json", "Content-Type": "application/json", "X-CSRFToken": csrfToken() },
        body: JSON.stringify({ status }),
        signal: giveUp.signal,
      });
      answer = await response.json();
    } catch {
      return word("unreached");
    } finally {
      clearTimeout(timeout);
    }
    if (answer.success === true) return "";
    return answer.error ? word("refused", { error: answer.error }) : word("refused-plain");
  }

  /** The cookie's: it may have changed since this page was loaded, by a sign-in in another tab. */
  function csrfToken() {
    const cookie = document.cookie.match(/(?:^|; )csrftoken=([^;]+)/);
    return cookie ? cookie[1] : document.querySelector("input[name=csrfmiddlewaretoken]").value;
  }

  /** Show the order at its new place at once, and take that back if the server won't have it. */
  async function moveTo(record, status) {
    record.status = status;
    record.problem = "";
    record.newUntil = 0;
    if (record.move) {
      record.move.next = status; // an undo that overtakes its move waits for it
      show();
      return;
    }
    const move = (record.move = { to: status, next: null, echoed: false });
    show();
    const problem = await send(record.order.orderId, status);
    record.move = null;
    if (!problem && !move.echoed) {
      record.server = status;
      record.settled = now();
    }
    const failed = problem !== "" && !move.echoed;
    if (move.next && move.next !== record.server) {
      moveTo(record, move.next);
      return;
    }
    record.status = record.server;
    if (failed && !move.next) {
      record.problem = problem;
      announce(word("say-problem", { table: record.order.tableNumber, problem }));
      link.readSoon();
    }
    show();
  }

  /** A tap that follows another at the same place: the same finger, still bouncing. */
  const isDoubleTap = (() => {
    let last = { at: -Infinity, x: 0, y: 0 };
    return (event) => {
      const at = now();
      const near = Math.hypot(event.clientX - last.x, event.clientY - last.y) < SAME_PLACE;
      const again = at - last.at < DOUBLE_TAP && near;
      last = { at, x: event.clientX, y: event.clientY };
      return again;
    };
  })();

  byId("board").addEventListener("click", (event) => {
    const button = event.target.closest(".ticket-next");
    if (!button || isDoubleTap(event)) return;
    const record = records.get(button.closest(".ticket").dataset.order);
    const to = record && NEXT[record.status];
    if (!to || (record.move && !record.move.echoed)) return;
    step(record, to);
  });

  // --- undo ---

  let steps = []; // {record, from, to, until}, newest last

  function step(record, to) {
    steps = steps.filter((each) => each.record !== record);
    steps.push({ record, from: record.status, to, until: now() + UNDO_FOR });
    announce(word("say-moved", { table: record.order.tableNumber, status: word(to) }));
    moveTo(record, to);
  }

  function offerUndo() {
    const inUse = byId("undo-bar").contains(document.activeElement) && document.activeElement.matches(":focus-visible");
    steps = steps.filter((each) => each.record.status === each.to && (inUse || each.until > now()));
    const last = steps.at(-1);
    board.showUndo(last ? { table: last.record.order.tableNumber, status: last.from } : null);
  }

  byId("undo-button").addEventListener("click", (event) => {
    if (isDoubleTap(event)) return;
    const last = steps.pop();
    if (!last) return;
    announce(word("say-moved", { table: last.record.order.tableNumber, status: word(last.from) }));
    moveTo(last.record, last.from);
  });

  byId("undo-dismiss").addEventListener("click", () => {
    steps = [];
    offerUndo();
  });

  addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key === "z" && !byId("undo-bar").hidden) byId("undo-button").click();
  });

  // --- recall ---

  function remembered() {
    const left = [...records.values()].filter((record) => record.status === "served" || record.status === GONE);
    return left.sort((a, b) => b.leftAt - a.leftAt);
  }

  function forgetTheOldest() {
    const time = link.serverTime();
    for (const record of records.values()) {
      if (isOpen(record)) record.leftAt = null;
      else record.leftAt ??= time;
    }
    const kept = new Set(remembered().slice(0, recall.LENGTH));
    for (const [id, record] of records) {
      if (!isOpen(record) && !record.move && !kept.has(record)) records.delete(id);
    }
  }

  // --- the tools ---

  const COUNTS = "kitchen-counts";

  function toggleCounts(open) {
    byId("counts").hidden = !open;
    byId("counts-button").setAttribute("aria-expanded", String(open));
    dispatchEvent(new Event("resize"));
  }

  byId("counts-button").addEventListener("click", () => {
    const open = byId("counts").hidden;
    memory.set(COUNTS, open ? "open" : "closed");
    toggleCounts(open);
  });
  toggleCounts((memory.get(COUNTS) ?? (matchMedia("(min-width: 90rem)").matches ? "open" : "closed")) === "open");

  byId("sound-button").addEventListener("click", sound.press);

  // --- showing ---

  function show() {
    forgetTheOldest();
    if (hasRead) board.show(inOrder(), link.serverTime());
    offerUndo();
    recall.show(remembered());
  }

  let newest = "";

  function tick() {
    const open = inOrder();
    const time = link.serverTime();
    const stillNew = open.filter((record) => record.newUntil > time).map((record) => record.order.orderId).join();
    if (stillNew !== newest) show();
    newest = stillNew;
    board.tick(open, time);
    offerUndo();
  }

  document.body.classList.add("is-running");
  recall.start((record) => step(record, "ready"));
  for (const { order, status, leftAt } of recall.ofLastPage()) remember(order, status, { leftAt });
  sound.start(() => board.showSound(sound.state()));
  link.start(
    { socketUrl: `${options.socket.replace(/\/+$/, "")}/kitchen`, readUrl: options.kitchen },
    { message: onMessage, orders: onOrders, change: () => board.showConnection(link.state(), link.serverTime) },
  );
  setInterval(tick, 250);
  tick();
})();
