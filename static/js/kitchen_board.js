/* Renders the screen: tickets, counts, the undo bar, the banner. It changes only what differs, so that a ticket
   keeps its element, and with it the focus, for as long as it is shown. */
(() => {
  "use strict";

  const { byId, language, t, age, price, setText, setHidden, setData, clone } = window.kitchenText;
  const { hourAndMinute, toTheSecond, remaining } = window.kitchenText;
  const layout = window.kitchenLayout;

  const OPEN = ["pending", "preparing", "ready"];
  const CANCELLED = "cancelled"; // shown in the column that it was in, until it is acknowledged

  const itemCount = (order) => order.items.reduce((sum, item) => sum + remaining(item), 0);

  // --- tickets ---

  const { lateAfter, veryLateAfter, orders, kitchen } = document.body.dataset;
  const LATE = Number(lateAfter) * 60_000;
  const VERY_LATE = Number(veryLateAfter) * 60_000;

  const columns = new Map();
  for (const section of document.querySelectorAll(".column")) {
    columns.set(section.dataset.status, {
      section,
      heading: section.querySelector(".column-heading"),
      list: section.querySelector(".tickets"),
    });
  }

  const PARTS = ["table", "number", "count", "total", "new", "lateness", "time", "error", "items", "next", "by"];
  PARTS.push("cancel", "cancelled");
  const tickets = new Map(); // the elements of each ticket, by order id

  function newTicket(id) {
    const node = clone("ticket-template");
    node.dataset.order = id;
    const parts = { node, signature: "" };
    for (const name of PARTS) parts[`$${name}`] = node.querySelector(`.ticket-${name}`);
    parts.$cancel.href = `${orders}${id}/cancel?next=${kitchen}`;
    parts.$label = node.querySelector(".ticket-next-label");
    parts.$nextTable = node.querySelector(".ticket-next-table");
    parts.$table.id = `table-of-${id}`;
    node.setAttribute("aria-labelledby", parts.$table.id);
    tickets.set(id, parts);
    layout.watch(node);
    return parts;
  }

  function itemLine(item) {
    const line = clone("item-template");
    const left = remaining(item);
    const quantity = line.querySelector(".item-quantity");
    quantity.textContent = `${left || item.quantity}×`;
    quantity.classList.toggle("is-several", left > 1);
    line.querySelector(".item-name").textContent = item.name;
    line.classList.toggle("is-cancelled", left === 0);
    // Of an entry that is cancelled as a whole, its quantity is struck through already.
    line.querySelector(".item-gone").textContent = left ? `${item.quantity - left}×` : "";
    line.querySelector(".item-cancelled").hidden = left === item.quantity;
    const note = line.querySelector(".item-note");
    const text = note.querySelector(".item-note-text");
    text.textContent = (item.specialInstructions || "").trim();
    note.hidden = text.textContent === "" || left === 0;
    return line;
  }

  function lateness(milliseconds) {
    if (milliseconds >= VERY_LATE) return "very-late";
    return milliseconds >= LATE ? "late" : "";
  }

  function showAge(parts, record, time) {
    const waited = time - record.placedAt;
    const late = record.status === CANCELLED ? "" : lateness(waited);
    setData(parts.node, "late", late);
    setText(parts.$lateness, late && t(late));
    setText(parts.$time, age(waited));
    const letters = parts.$number.textContent.length + parts.$time.textContent.length;
    setData(parts.node, "head", letters > 7 ? "widest" : letters > 6 ? "wide" : "");
  }

  function showTicket(parts, record, time) {
    const { order } = record;
    const isCancelled = record.status === CANCELLED;
    const signature = JSON.stringify([order.tableNumber, order.items, order.total, order.placedBy]);
    if (parts.signature !== signature) {
      parts.signature = signature;
      const count = itemCount(order);
      setText(parts.$number, String(order.tableNumber));
      setData(parts.node, "digits", String(parts.$number.textContent.length));
      parts.$items.replaceChildren(...order.items.map(itemLine));
      setText(parts.$count, t(count === 1 ? "items-one" : "items-many", { count }));
      setText(parts.$total, price(order.total));
      setText(parts.$nextTable, t("table", { table: order.tableNumber }));
      setText(parts.$cancel.querySelector(".ticket-cancel-table"), t("table", { table: order.tableNumber }));
      setText(parts.$by, order.placedBy ? t("placed-by", { name: order.placedBy }) : "");
      setHidden(parts.$by, !order.placedBy);
      parts.$time.dateTime = order.createdAt;
    }
    const sending = record.move !== null && !record.move.acknowledged;
    setData(parts.node, "status", record.status);
    parts.node.classList.toggle("is-sending", sending);
    parts.node.classList.toggle("is-new", record.newUntil > time);
    setHidden(parts.$new, !(record.newUntil > time));
    setHidden(parts.$cancelled, !isCancelled);
    setHidden(parts.$cancel, isCancelled);
    setText(parts.$error, record.error);
    setHidden(parts.$error, record.error === "");
    setText(parts.$label, t(sending ? "sending" : `${record.status}-next`));
    // `disabled` would lose the focus.
    parts.$next.setAttribute("aria-disabled", String(sending));
    showAge(parts, record, time);
  }

  function arrange({ list }, records) {
    records.forEach((record, index) => {
      const { node } = tickets.get(record.order.orderId);
      if (list.children[index] !== node) list.insertBefore(node, list.children[index] ?? null);
    });
  }

  /** If the focused ticket leaves its column, focus the one that takes its place. */
  function keepFocus(change) {
    const ticket = document.activeElement && document.activeElement.closest(".ticket");
    if (!ticket) return change();
    const column = columns.get(ticket.parentElement.parentElement.dataset.status);
    const index = [...column.list.children].indexOf(ticket);
    const focused = document.activeElement;
    change();
    if (ticket.isConnected && ticket.parentElement === column.list) {
      if (document.activeElement !== focused) focused.focus({ preventScroll: true });
      return undefined;
    }
    const next = column.list.children[Math.min(index, column.list.children.length - 1)];
    (next ? next.querySelector(".ticket-next") : column.heading).focus({ preventScroll: true });
    return undefined;
  }

  let fittedSignature = "";

  /** Show exactly these records, oldest first. */
  function show(records, time) {
    keepFocus(() => {
      const shown = new Set(records.map((record) => record.order.orderId));
      for (const [id, { node }] of tickets) {
        if (!shown.has(id)) {
          layout.unwatch(node);
          node.remove();
          tickets.delete(id);
        }
      }
      for (const record of records) {
        const { orderId } = record.order;
        showTicket(tickets.get(orderId) ?? newTicket(orderId), record, time);
      }
      for (const status of OPEN) {
        const column = records.filter((record) => record.column === status);
        arrange(columns.get(status), column);
        setData(columns.get(status).section, "empty", String(column.length === 0));
        const count = String(column.filter((record) => record.status === status).length);
        for (const each of document.querySelectorAll(`[data-count="${status}"]`)) setText(each, count);
      }
    });
    setData(byId("board"), "state", records.length ? "working" : "empty");
    showCounts(records);
    const contents = records.map(({ order, ...rest }) => [order.orderId, order.items, rest.column, rest.status, rest.error]);
    const signature = JSON.stringify(contents);
    if (fittedSignature !== signature) layout.refit();
    fittedSignature = signature;
  }

  function tick(records, time) {
    for (const record of records) {
      const parts = tickets.get(record.order.orderId);
      if (parts) showAge(parts, record, time);
    }
    layout.updateHints();
    setText(byId("clock"), hourAndMinute(time));
  }

  // --- all-day counts ---

  function showCounts(records) {
    const totals = new Map();
    for (const record of records) {
      if (record.status === "ready" || record.status === CANCELLED) continue;
      for (const item of record.order.items) totals.set(item.name, (totals.get(item.name) ?? 0) + remaining(item));
    }
    const rows = [...totals].filter(([, count]) => count > 0).sort(([a, m], [b, n]) => n - m || a.localeCompare(b, language));
    const list = byId("counts-list");
    while (list.children.length > rows.length) list.lastElementChild.remove();
    rows.forEach(([name, count], index) => {
      const row = list.children[index] ?? list.appendChild(clone("count-template"));
      setText(row.firstElementChild, String(count));
      setText(row.lastElementChild, name);
    });
    setHidden(byId("counts-empty"), rows.length > 0);
  }

  // --- undo ---

  /** `step`: {table, status} that undo restores, or null. */
  function showUndo(step) {
    const bar = byId("undo-bar");
    if (step) setText(byId("undo-button"), t("undo", { table: step.table, status: t(step.status) }));
    setHidden(bar, !step);
  }

  // --- connection ---

  const OVERDUE = 5000; // milliseconds without an update, which usually comes every four seconds

  /** `state` of the connection; `serverTime` converts a moment of performance.now(). */
  function showConnection({ outage, connected, silence }, serverTime) {
    const seconds = Math.floor(silence / 1000);
    const state = outage ? "down" : !connected ? "connecting" : silence > OVERDUE ? "silent" : "live";
    setData(byId("connection"), "state", state === "live" || state === "down" ? state : "waiting");
    setText(byId("connection-text"), t(state, { seconds }));
    if (outage) showOutage(outage, toTheSecond(serverTime(outage.since)));
    setHidden(byId("connection-banner"), !outage);
    document.body.classList.toggle("is-down", Boolean(outage));
  }

  function showOutage({ kind }, time) {
    const signedOut = kind === "signed-out";
    setText(byId("banner-headline"), t(signedOut ? "signed-out" : "down-since", { time }));
    setText(byId("banner-rest"), t(signedOut ? "signed-out-rest" : `down-${kind}`));
    setHidden(byId("banner-sign-in"), !signedOut);
  }

  function showSound(state) {
    setData(byId("sound-button"), "sound", state);
    setText(byId("sound-text"), t(`sound-${state}`));
  }

  window.kitchenBoard = {
    OPEN,
    CANCELLED,
    itemCount,
    show,
    tick,
    showUndo,
    showConnection,
    showSound,
  };
})();
