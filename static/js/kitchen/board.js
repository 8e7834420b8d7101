/* Renders the screen: tickets, counts, the undo bar, the banner. It changes only what differs, so that a ticket
   keeps its element, and with it the focus, for as long as it is shown. */
import * as layout from "./layout.js";
import { byId, clone, hourAndMinute, language, remaining, setData, setHidden, setText, t, toTheSecond } from "./text.js";
import * as ticket from "./ticket.js";

export const OPEN = ["pending", "preparing", "ready"];
const { CANCELLED } = ticket;

// --- tickets ---

const columns = new Map();
for (const section of document.querySelectorAll(".column")) {
  columns.set(section.dataset.status, {
    section,
    heading: section.querySelector(".column-heading"),
    list: section.querySelector(".tickets"),
  });
}

const tickets = new Map(); // the elements of each ticket, by order id

function newTicket(id) {
  const parts = ticket.make(id);
  tickets.set(id, parts);
  return parts;
}

function arrange({ list }, records) {
  records.forEach((record, index) => {
    const { node } = tickets.get(record.order.orderId);
    if (list.children[index] !== node) list.insertBefore(node, list.children[index] ?? null);
  });
}

/** If the focused ticket leaves its column, focus the one that takes its place. */
function keepFocus(change) {
  const around = document.activeElement && document.activeElement.closest(".ticket");
  if (!around) return change();
  const column = columns.get(around.parentElement.parentElement.dataset.status);
  const index = [...column.list.children].indexOf(around);
  const focused = document.activeElement;
  change();
  if (around.isConnected && around.parentElement === column.list) {
    if (document.activeElement !== focused) focused.focus({ preventScroll: true });
    return undefined;
  }
  const next = column.list.children[Math.min(index, column.list.children.length - 1)];
  (next ? next.querySelector(".ticket-next") : column.heading).focus({ preventScroll: true });
  return undefined;
}

let fittedSignature = "";

/** Show exactly these records, oldest first. */
export function show(records, time) {
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
      ticket.show(tickets.get(orderId) ?? newTicket(orderId), record, time);
    }
    ticket.showAges(tickets, records, time);
    for (const [status, column] of columns) {
      const own = records.filter((record) => record.column === status);
      arrange(column, own);
      setData(column.section, "empty", String(own.length === 0));
      const count = String(own.filter((record) => record.status !== CANCELLED).length);
      for (const each of document.querySelectorAll(`[data-count="${status}"]`)) setText(each, count);
    }
  });
  setData(byId("board"), "state", records.length ? "working" : "empty");
  showCounts(records);
  const contents = records.map(({ order, ...rest }) => [order.orderId, rest.items, rest.column, rest.status, rest.error]);
  const signature = JSON.stringify(contents);
  if (fittedSignature !== signature) layout.refit();
  fittedSignature = signature;
}

export function tick(records, time) {
  ticket.showAges(tickets, records, time);
  layout.updateHints();
  setText(byId("clock"), hourAndMinute(time));
}

// --- all-day counts ---

function showCounts(records) {
  const totals = new Map();
  for (const record of records) {
    if (record.status === "ready" || record.status === CANCELLED) continue;
    for (const item of record.items.filter((each) => !each.done && !ticket.waits(each))) {
      totals.set(item.name, (totals.get(item.name) ?? 0) + remaining(item));
    }
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

/** `step`: {table, status} that undo restores, or with `isFirst` whether the order was put first; or null. */
export function showUndo(step) {
  const bar = byId("undo-bar");
  const isOfLine = step?.isFirst !== undefined;
  const key = isOfLine ? `undo-${step.isFirst ? "first" : "back"}` : "undo";
  if (step) setText(byId("undo-button"), t(key, { table: step.table, status: isOfLine ? "" : t(step.status) }));
  setHidden(bar, !step);
}

// --- connection ---

const OVERDUE = 5000; // milliseconds without an update, which usually comes every four seconds

/** `state` of the connection; `serverTime` converts a moment of performance.now(). */
export function showConnection({ outage, connected, silence }, serverTime) {
  const seconds = Math.floor(silence / 1000);
  const state = outage ? "down" : !connected ? "connecting" : silence > OVERDUE ? "silent" : "live";
  setData(byId("connection"), "state", state === "live" || state === "down" ? state : "waiting");
  setText(byId("connection-text"), t(state, { seconds }));
  if (outage) showOutage(outage, toTheSecond(serverTime(outage.since)));
  setHidden(byId("connection-banner"), !outage);
  document.body.classList.toggle("is-down", Boolean(outage));
  document.body.classList.toggle("is-stale", Boolean(outage) && outage.kind !== "slow");
}

function showOutage({ kind }, time) {
  const signedOut = kind === "signed-out";
  setText(byId("banner-headline"), t(signedOut ? "signed-out" : "down-since", { time }));
  setText(byId("banner-rest"), t(signedOut ? "signed-out-rest" : `down-${kind}`));
  setHidden(byId("banner-sign-in"), !signedOut);
}

export function showSound(state) {
  setData(byId("sound-button"), "sound", state);
  setText(byId("sound-text"), t(`sound-${state}`));
}
