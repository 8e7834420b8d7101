/* What is on the screen: tickets, counts, the undo bar, the recall drawer, the banner. It is told what to show and
   changes only what differs: a ticket keeps its element, and so its focus, from the first sight to the last.

   Words come from the page's <template id="words">; data is only ever put in as text. */
(() => {
  "use strict";

  const byId = (id) => document.getElementById(id);
  const OPEN = ["pending", "preparing", "ready"];
  const language = document.documentElement.lang || undefined;

  // --- words, numbers, times ---

  const phrases = new Map();
  for (const each of byId("words").content.querySelectorAll("[data-word]")) {
    phrases.set(each.dataset.word, each.textContent.trim());
  }

  function word(name, values = {}) {
    return (phrases.get(name) ?? name).replace(/\{(\w+)\}/g, (all, key) => String(values[key] ?? all));
  }

  const hourAndMinute = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit" });
  const toTheSecond = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
  const twoDigits = (number) => String(number).padStart(2, "0");

  let money;
  try {
    money = new Intl.NumberFormat(language, { style: "currency", currency: document.documentElement.dataset.currency });
  } catch {
    money = new Intl.NumberFormat(language, { minimumFractionDigits: 2 });
  }

  function age(milliseconds) {
    const seconds = Math.max(0, Math.floor(milliseconds / 1000));
    const minutes = Math.floor(seconds / 60);
    const hours = Math.floor(minutes / 60);
    if (minutes < 60) return `${minutes}:${twoDigits(seconds % 60)}`;
    if (hours < 24) return word("age-hours", { hours, minutes: twoDigits(minutes % 60) });
    return word("age-days", { days: Math.floor(hours / 24) });
  }

  const pieces = (order) => order.items.reduce((sum, item) => sum + item.quantity, 0);

  function setText(element, text) {
    if (element.textContent !== text) element.textContent = text;
  }

  function setHidden(element, hidden) {
    if (element.hidden !== hidden) element.hidden = hidden;
  }

  function setData(element, name, value) {
    if (element.dataset[name] !== value) element.dataset[name] = value;
  }

  const clone = (template) => byId(template).content.firstElementChild.cloneNode(true);

  // --- tickets ---

  const { lateAfter, veryLateAfter } = document.body.dataset;
  const LATE = Number(lateAfter) * 60_000;
  const VERY_LATE = Number(veryLateAfter) * 60_000;

  const columns = new Map();
  for (const section of document.querySelectorAll(".column")) {
    const column = {
      section,
      heading: section.querySelector(".column-heading"),
      list: section.querySelector(".tickets"),
      more: section.querySelector(".more"),
    };
    columns.set(section.dataset.status, column);
    column.list.addEventListener("scroll", () => countBelow(column), { passive: true });
    column.more.addEventListener("click", () => {
      column.list.scrollBy({ top: column.list.clientHeight * 0.8 });
      if (column.more.hidden) column.heading.focus();
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
    return parts;
  }

  function itemLine(item) {
    const line = clone("item-template");
    const quantity = line.querySelector(".item-quantity");
    quantity.textContent = `${item.quantity}×`;
    quantity.classList.toggle("is-several", item.quantity > 1);
    line.querySelector(".item-name").textContent = item.name;
    const note = line.querySelector(".item-note");
    note.textContent = (item.specialInstructions || "").trim();
    note.hidden = note.textContent === "";
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
    parts.node.classList.toggle("is-wide", parts.$number.textContent.length + parts.$time.textContent.length > 7);
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
      setText(parts.$total, money.format(order.total));
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
    if (fitted !== signature) refit();
    fitted = signature;
  }

  function tick(records, time) {
    for (const record of records) {
      const parts = tickets.get(record.order.orderId);
      if (parts) showAge(parts, record, time);
    }
    columns.forEach(countBelow);
    setText(byId("clock"), hourAndMinute.format(time));
  }

  // --- the room on a wall, where nobody scrolls ---

  const onWall = matchMedia("(min-width: 60rem) and (min-height: 34rem)"); // as in kitchen.css

  const NEVER_FIT = 12; // so many tickets that trying the larger sizes would be wasted time
  const passing = [byId("undo-bar"), byId("connection-banner")]; // bars that come and go: they change no sizes

  /** As large as possible with all tickets of the column in sight, and never smaller than "dense". */
  function fit({ list, section }) {
    const sizes = list.children.length > NEVER_FIT ? ["dense"] : ["roomy", "snug", "dense"];
    for (const density of sizes) {
      section.dataset.density = density;
      const room = passing.reduce((sum, bar) => sum + bar.offsetHeight, list.clientHeight);
      if (!onWall.matches || list.scrollHeight <= room + 1) return;
    }
  }

  /** Say which tickets are out of sight all the same, in the colour of the latest. */
  function countBelow(column) {
    const { list, more } = column;
    const end = list.getBoundingClientRect().bottom;
    const scrolls = onWall.matches && list.scrollHeight > list.clientHeight + 1;
    const below = scrolls ? [...list.children].filter((node) => node.getBoundingClientRect().bottom > end + 16) : [];
    setHidden(more, below.length === 0);
    if (below.length === 0) return;
    const numbers = below.map((node) => tickets.get(node.dataset.order).$number.textContent);
    const tables = numbers.slice(0, 6).join(" · ") + (numbers.length > 6 ? " …" : "");
    setText(more, word("more", { count: below.length, tables }));
    const lates = below.map((node) => node.dataset.late);
    setData(more, "late", lates.includes("very-late") ? "very-late" : lates.includes("late") ? "late" : "");
  }

  function refit() {
    columns.forEach(fit);
    columns.forEach(countBelow);
  }

  addEventListener("resize", refit);

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

  // --- undo, recall ---

  /** `step`: {table, status} that an undo leads back to, or null. */
  function showUndo(step) {
    const bar = byId("undo-bar");
    if (step) setText(byId("undo-button"), word("undo", { table: step.table, status: word(step.status) }));
    setHidden(bar, !step);
  }

  function showRecall(records, onBack) {
    const rows = records.map((record) => {
      const { order } = record;
      const row = clone("recall-template");
      const table = word("table", { table: order.tableNumber });
      row.querySelector(".recalled-table").textContent = table;
      const when = record.status === "served" ? "recall-served" : "recall-gone";
      row.querySelector(".recalled-when").textContent = word(when, { time: hourAndMinute.format(record.leftAt) });
      const items = order.items.map((item) => `${item.quantity}× ${item.name}`).join(", ");
      row.querySelector(".recalled-items").textContent = items;
      const back = row.querySelector(".recalled-back");
      back.lastElementChild.textContent = table;
      back.addEventListener("click", () => onBack(record));
      return row;
    });
    byId("recall-list").replaceChildren(...rows);
    byId("recall-empty").hidden = rows.length > 0;
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
      const time = toTheSecond.format(timeOf(down.since));
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

  // --- for ears ---

  let sentences = [];

  /** Read out politely; what comes within a moment is read out together. */
  function announce(sentence) {
    if (sentences.length === 0) {
      setTimeout(() => {
        byId("announcer").textContent = sentences.join(". ");
        sentences = [];
      }, 150);
    }
    sentences.push(sentence);
  }

  window.kitchenBoard = {
    OPEN,
    byId,
    word,
    pieces,
    show,
    tick,
    showUndo,
    showRecall,
    showConnection,
    showSound,
    announce,
  };
})();
