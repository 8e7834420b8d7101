/* What is on the screen: tickets, counts, the undo bar, the banner. It is told what to show and
   changes only what differs: a ticket keeps its element, and so its focus, from the first sight to the last. */
(() => {
  "use strict";

  const { byId, language, word, age, price, setText, setHidden, setData, clone } = window.kitchenWords;
  const { hourAndMinute, toTheSecond } = window.kitchenWords;
  const room = window.kitchenRoom;

  const OPEN = ["pending", "preparing", "ready"];

  const pieces = (order) => order.items.reduce((sum, item) => sum + item.quantity, 0);

  // --- tickets ---

  const { lateAfter, veryLateAfter } = document.body.dataset;
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

  const tickets = new Map(); // order id -> the parts of its ticket

  function newTicket(id) {
    const node = clone("ticket-template");
    node.dataset.order = id;
    const parts = { node, items: "" };
    for (const name of ["table", "number", "pieces", "total", "new", "lateness", "time", "problem", "items", "next"]) {
      parts[`$${name}`] = node.querySelector(`.ticket-${name}`);
    }
    parts.$label = node.querySelector(".ticket-next-label");
    parts.$nextTable = node.querySelector(".ticket-next-table");
    parts.$table.id = `table-of-${id}`;
    node.setAttribute("aria-labelledby", parts.$table.id);
    tickets.set(id, parts);
    room.watch(node);
    return parts;
  }

  function itemLine(item) {
    const line = clone("item-template");
    const quantity = line.querySelector(".item-quantity");
    quantity.textContent = `${item.quantity}×`;
    quantity.classList.toggle("is-several", item.quantity > 1);
    line.querySelector(".item-name").textContent = item.name;
    const note = line.querySelector(".item-note");
    const text = note.querySelector(".item-note-text");
    text.textContent = (item.specialInstructions || "").trim();
    note.hidden = text.textContent === "";
    return line;
  }

  function lateness(milliseconds) {
    if (milliseconds >= VERY_LATE) return "very-late";
    return milliseconds >= LATE ? "late" : "";
  }

  function showAge(parts, record, time) {
    const waited = time - record.at;
    const late = lateness(waited);
    setData(parts.node, "late", late);
    setText(parts.$lateness, late && word(late));
    setText(parts.$time, age(waited));
    const letters = parts.$number.textContent.length + parts.$time.textContent.length;
    setData(parts.node, "head", letters > 7 ? "widest" : letters > 6 ? "wide" : "");
  }

  function showTicket(parts, record, time) {
    const { order } = record;
    const signature = JSON.stringify([order.tableNumber, order.items, order.total]);
    if (parts.items !== signature) {
      parts.items = signature;
      const count = pieces(order);
      setText(parts.$number, String(order.tableNumber));
      setData(parts.node, "digits", String(parts.$number.textContent.length));
      parts.$items.replaceChildren(...order.items.map(itemLine));
      setText(parts.$pieces, word(count === 1 ? "pieces-one" : "pieces-many", { count }));
      setText(parts.$total, price(order.total));
      setText(parts.$nextTable, word("table", { table: order.tableNumber }));
      parts.$time.dateTime = order.createdAt;
    }
    const sending = record.move !== null && !record.move.echoed;
    setData(parts.node, "status", record.status);
    parts.node.classList.toggle("is-sending", sending);
    parts.node.classList.toggle("is-new", record.newUntil > time);
    setHidden(parts.$new, !(record.newUntil > time));
    setText(parts.$problem, record.problem);
    setHidden(parts.$problem, record.problem === "");
    setText(parts.$label, word(sending ? "sending" : `${record.status}-next`));
    // Not `disabled`: that would drop the focus.
    parts.$next.setAttribute("aria-disabled", String(sending));
    showAge(parts, record, time);
  }

  function arrange(column, records) {
    const { list } = column;
    records.forEach((record, place) => {
      const { node } = tickets.get(record.order.orderId);
      if (list.children[place] !== node) list.insertBefore(node, list.children[place] ?? null);
    });
  }

  /** Whoever works with the keyboard goes on with the ticket that took the place of the one that moved. */
  function keepFocus(change) {
    const ticket = document.activeElement && document.activeElement.closest(".ticket");
    if (!ticket) return change();
    const column = columns.get(ticket.parentElement.parentElement.dataset.status);
    const place = [...column.list.children].indexOf(ticket);
    const focused = document.activeElement;
    change();
    if (ticket.isConnected && ticket.parentElement === column.list) {
      if (document.activeElement !== focused) focused.focus({ preventScroll: true });
      return undefined;
    }
    const heir = column.list.children[Math.min(place, column.list.children.length - 1)];
    (heir ? heir.querySelector(".ticket-next") : column.heading).focus({ preventScroll: true });
    return undefined;
  }

  let fitted = "";

  /** Show these records, oldest first, and no others. */
  function show(records, time) {
    keepFocus(() => {
      const shown = new Set(records.map((record) => record.order.orderId));
      for (const [id, { node }] of tickets) {
        if (!shown.has(id)) {
          room.forget(node);
          node.remove();
          tickets.delete(id);
        }
      }
      for (const record of records) {
        const { orderId } = record.order;
        showTicket(tickets.get(orderId) ?? newTicket(orderId), record, time);
      }
      for (const status of OPEN) {
        const mine = records.filter((record) => record.status === status);
        arrange(columns.get(status), mine);
        setData(columns.get(status).section, "empty", String(mine.length === 0));
        for (const each of document.querySelectorAll(`[data-count="${status}"]`)) setText(each, String(mine.length));
      }
    });
    setData(byId("board"), "state", records.length ? "working" : "empty");
    showCounts(records);
    const drawn = records.map(({ order, status, problem }) => [order.orderId, order.items, status, problem]);
    const signature = JSON.stringify(drawn);
    if (fitted !== signature) room.refit();
    fitted = signature;
  }

  function tick(records, time) {
    for (const record of records) {
      const parts = tickets.get(record.order.orderId);
      if (parts) showAge(parts, record, time);
    }
    room.hint();
    setText(byId("clock"), hourAndMinute(time));
  }

  // --- all-day counts ---

  function showCounts(records) {
    const totals = new Map();
    for (const record of records) {
      if (record.status === "ready") continue;
      for (const item of record.order.items) totals.set(item.name, (totals.get(item.name) ?? 0) + item.quantity);
    }
    const rows = [...totals].sort(([a, m], [b, n]) => n - m || a.localeCompare(b, language));
    const list = byId("counts-list");
    while (list.children.length > rows.length) list.lastElementChild.remove();
    rows.forEach(([name, count], place) => {
      const row = list.children[place] ?? list.appendChild(clone("count-template"));
      setText(row.firstElementChild, String(count));
      setText(row.lastElementChild, name);
    });
    setHidden(byId("counts-empty"), rows.length > 0);
  }

  // --- undo ---

  /** `step`: {table, status} that an undo leads back to, or null. */
  function showUndo(step) {
    const bar = byId("undo-bar");
    if (step) setText(byId("undo-button"), word("undo", { table: step.table, status: word(step.status) }));
    setHidden(bar, !step);
  }

  // --- connection ---

  const OVERDUE = 5000; // the server is asked every four seconds

  function showConnection({ down, connected, silence }, timeOf) {
    const seconds = Math.floor(silence / 1000);
    const said = down ? "down" : !connected ? "connecting" : silence > OVERDUE ? "silent" : "live";
    setData(byId("connection"), "state", said === "live" || said === "down" ? said : "waiting");
    setText(byId("connection-text"), word(said, { seconds }));
    if (down) {
      const signedOut = down.kind === "signed-out";
      const time = toTheSecond(timeOf(down.since));
      setText(byId("banner-headline"), word(signedOut ? "signed-out" : "down-since", { time }));
      setText(byId("banner-rest"), word(signedOut ? "signed-out-rest" : `down-${down.kind}`));
      setHidden(byId("banner-sign-in"), !signedOut);
    }
    const banner = byId("connection-banner");
    if (banner.hidden === !down) return;
    banner.hidden = !down;
    document.body.classList.toggle("is-down", Boolean(down));
  }

  function showSound(state) {
    setData(byId("sound-button"), "sound", state);
    setText(byId("sound-text"), word(`sound-${state}`));
  }

  window.kitchenBoard = {
    OPEN,
    pieces,
    show,
    tick,
    showUndo,
    showConnection,
    showSound,
  };
})();
