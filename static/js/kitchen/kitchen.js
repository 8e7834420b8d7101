/* The kitchen display: which orders there are, and moving them from status to status.

   Every order has a record. `serverStatus` is the latest status from the server, `status` the one on the screen. They
   differ only while a request of this display is under way (`move`); if that fails, the server's status is shown.
   `fromSocket`: the socket announced the order when it was new. `order` has the entries that this display shows, each
   with its `position`; `items` are these as they are on the screen, where `wanted` is under way: what a touch has made
   done or not, by position. */
import { watchAttention } from "../shell.js";
import { recall as recalled, remember } from "../storage.js";
import * as board from "./board.js";
import * as cancelled from "./cancelled.js";
import * as connection from "./connection.js";
import "./jump.js";
import * as recall from "./recall.js";
import * as seen from "./seen.js";
import * as soldOut from "./sold_out.js";
import * as sound from "./sound.js";
import { announce, byId, remaining, setText, t } from "./text.js";
import * as ticket from "./ticket.js";
import * as tools from "./tools.js";
import * as undo from "./undo.js";

const { OPEN } = board;
const { CANCELLED } = ticket;
const options = document.body.dataset;

const NEXT = { pending: "preparing", preparing: "ready", ready: "served" };
const GONE = "gone"; // no longer among the open orders, with an unknown status
const ACKNOWLEDGED = "acknowledged"; // cancelled, and a cook has seen it
// Milliseconds.
const NEW_FOR = 15000;
const SETTLE = 5000;

const records = new Map(); // by order id
const elsewhere = new Set(); // ids of orders without an entry for this station
const MOST_ELSEWHERE = 2000;
let hasLoaded = false;

const now = () => performance.now();
const isOpen = (record) => OPEN.includes(record.status);
const isShown = (record) => isOpen(record) || record.status === CANCELLED;

/** What this display shows of an order, whose entries the socket sends all; null if that is nothing. */
function own(order) {
  const items = order.items.map((item, position) => ({ position, ...item }));
  if (!options.station || order.otherProgress) return { ...order, items };
  const mine = items.filter((item) => !item.station || item.station === options.station);
  return mine.length ? { ...order, items: mine, otherProgress: ticket.progress(items) } : null;
}

function itemsOf({ order, wanted }) {
  return order.items.map((item) => (wanted.has(item.position) ? { ...item, done: wanted.get(item.position) } : item));
}

function shownRecords() {
  const shown = [...records.values()].filter(isShown);
  const place = ({ order }) => (order.prioritised ? 0 : ticket.isIdle(order.items) ? 2 : 1);
  return shown.sort((a, b) => place(a) - place(b) || a.placedAt - b.placedAt || (a.order.orderId < b.order.orderId ? -1 : 1));
}

// --- updates from the server ---

/** `asOf`: the moment of performance.now() at which the server had this status. */
function applyStatus(record, status, asOf) {
  if (asOf < record.settledAt) return; // older than the end of our own move
  const { move } = record;
  record.serverStatus = status;
  if (move && !move.acknowledged && status === move.to) {
    move.acknowledged = true;
    record.settledAt = now();
  }
  if (move && (!move.acknowledged || move.next)) return;
  show(record);
}

/** Show the server's status: another display moved the order, or it was cancelled. */
function show(record) {
  if (record.status === record.serverStatus) return;
  Object.assign(record, { status: record.serverStatus, error: "", newUntil: 0 });
  if (record.status === CANCELLED) cancelled.tellWhole(record.order);
}

function applyOrder(whole, asOf) {
  const order = own(whole);
  if (!order) {
    if (elsewhere.size > MOST_ELSEWHERE) elsewhere.clear();
    elsewhere.add(whole.orderId);
    return;
  }
  const record = records.get(order.orderId);
  const status = order.acknowledged ? ACKNOWLEDGED : order.status;
  if (record) {
    if (isOpen(record) && OPEN.includes(status)) cancelled.tellParts(record.order, order);
    if (asOf >= record.tickedAt) tellFired(record, order);
    // The socket does not say since when it is ready, or a station done with it.
    if (order.status === "ready") order.readyAt ??= record.order.readyAt;
    order.doneAt ??= record.order.doneAt;
    // A poll that began before the end of a touch knows less of the entries.
    record.order = asOf < record.tickedAt ? { ...order, items: record.order.items } : order;
    record.placedAt = Date.parse(order.createdAt);
    applyStatus(record, status, asOf);
    return;
  }
  if (status === CANCELLED) addRecord(order, status, {});
  if (status === CANCELLED && hasLoaded) cancelled.tellWhole(order);
  if (!OPEN.includes(status)) return;
  const isNew = hasLoaded && order.status === "pending";
  addRecord(order, order.status, { newUntil: isNew ? connection.serverTime() + NEW_FOR : 0 });
  if (isNew) announceNew(order);
}

function addRecord(order, status, values) {
  records.set(order.orderId, {
    order,
    items: order.items,
    wanted: new Map(),
    sending: new Set(),
    tickedAt: -Infinity,
    becameReady: null, // on this display, as is the next
    becameDone: null,
    placedAt: Date.parse(order.createdAt),
    status,
    serverStatus: status,
    settledAt: -Infinity,
    move: null,
    error: "",
    newUntil: 0,
    fromSocket: false,
    column: null,
    ...values,
  });
}

function announceNew(order) {
  const count = ticket.itemCount(order.items);
  sound.chime();
  announce(t(count === 1 ? "announce-new-one" : "announce-new-many", { table: order.tableNumber, count }), true);
}

/** A course that is fired is as good as a new order. */
function tellFired(record, { items, tableNumber: table }) {
  const before = new Map(record.order.items.map((item) => [item.position, item]));
  const fired = items.find((item) => item.waits === undefined && before.get(item.position)?.waits && remaining(item));
  if (!fired) return;
  record.newUntil = connection.serverTime() + NEW_FOR;
  sound.chime();
  announce(t("announce-fired", { table, course: fired.course }), true);
}

function onMessage(message) {
  if (!message || typeof message !== "object") return;
  applyMessage(message);
  if (message.type === "kitchen_update") {
    connection.pollSoon();
    soldOut.refresh();
  } else {
    recall.refresh();
  }
  render();
}

function applyMessage(message) {
  if (message.type === "new_order") {
    applyOrder(message.order, now());
    const record = records.get(message.order.orderId);
    if (record) record.fromSocket = true;
  }
  if (message.type === "order_update" && message.order) applyOrder(message.order, now());
  if (message.type !== "status_update") return;
  const record = records.get(message.orderId);
  if (record) applyStatus(record, isOver(record, message) ? ACKNOWLEDGED : message.status, now());
  else if (OPEN.includes(message.status) && !elsewhere.has(message.orderId)) {
    if (options.station) elsewhere.add(message.orderId); // unless the poll lists it
    connection.pollSoon();
  }
}

/** Whether it is cancelled after it was served: nobody is cooking it any more. */
function isOver({ serverStatus }, { status }) {
  return status === CANCELLED && serverStatus !== CANCELLED && !OPEN.includes(serverStatus);
}

function onOrders(orders, cancelledOrders, messages, from) {
  for (const { orderId } of orders) elsewhere.delete(orderId);
  const listed = new Set([...orders, ...cancelledOrders].map((order) => order.orderId));
  if (orders.some(wasMissed)) connection.reconnect();
  [...orders, ...cancelledOrders].forEach((order) => applyOrder(order, from));
  for (const [id, record] of records) {
    if (listed.has(id)) continue;
    if (OPEN.includes(record.serverStatus)) applyStatus(record, GONE, from);
    else if (record.serverStatus === CANCELLED) applyStatus(record, ACKNOWLEDGED, from);
  }
  // Messages that arrived during the poll may be newer than its result. Not so the first message of a listed order.
  messages.filter((each) => each.type !== "new_order" || !listed.has(each.order.orderId)).forEach(applyMessage);
  hasLoaded = true;
  render();
}

/** Whether the open socket should have announced this order long ago: then it is dead. */
function wasMissed(order) {
  const placedAt = Date.parse(order.createdAt);
  const since = connection.openSince();
  if (records.get(order.orderId)?.fromSocket || order.status !== "pending") return false;
  return since !== null && placedAt > since + 2000 && placedAt < connection.serverTime() - 1500;
}

// --- moving an order to another status ---

/** Returns the error message, or "". Acknowledging is the last step of a cancelled order. */
async function post(id, status) {
  const action = status === ACKNOWLEDGED ? "acknowledge" : "status";
  const path = `${options.orders}${encodeURIComponent(id)}/${action}`;
  const { error } = await tools.post(path, status === ACKNOWLEDGED ? {} : { status });
  return error;
}

/** Show the order in its new column at once, and move it back if the request fails. */
async function moveTo(record, status) {
  Object.assign(record, { status, error: "", newUntil: 0 });
  if (record.move) {
    record.move.next = status; // sent when the request under way is done
    render();
    return;
  }
  const move = (record.move = { to: status, next: null, acknowledged: false });
  render();
  const error = await post(record.order.orderId, status);
  record.move = null;
  if (!error && !move.acknowledged) {
    record.serverStatus = status;
    record.settledAt = now();
  }
  if (move.next && move.next !== record.serverStatus) {
    moveTo(record, move.next);
    return;
  }
  show(record);
  if (record.status === CANCELLED && status !== ACKNOWLEDGED) {
    render(); // it was cancelled meanwhile, and says so
    return;
  }
  if (error && !move.acknowledged && !move.next) {
    record.error = error;
    announce(t("announce-error", { table: record.order.tableNumber, error }));
    connection.pollSoon();
  }
  render();
}

byId("board").addEventListener("click", (event) => {
  const button = event.target.closest(".ticket-next, .item-tick, .ticket-menu");
  if (!button || tools.isDoubleTap(event)) return;
  const record = records.get(button.closest(".ticket").dataset.order);
  if (!record) return;
  if (button.matches(".item-tick")) tick(record, Number(button.closest(".item").dataset.position));
  else if (button.matches(".ticket-menu")) openMenu(record);
  else goOn(record);
});

// --- to the front ---

let ofMenu = null; // the record whose menu is open

function openMenu(record) {
  ofMenu = record;
  setText(byId("ticket-menu-first"), t(record.order.prioritised ? "back-in-line" : "to-the-front"));
  soldOut.openTicket(record.order);
}

byId("ticket-menu-first").addEventListener("click", () => {
  byId("ticket-menu").close();
  putFirst(ofMenu, !ofMenu.order.prioritised);
  undo.addFirst(ofMenu);
});

/** Show it at once, and as it was if the request fails. */
async function putFirst(record, on) {
  const { orderId, tableNumber: table } = record.order;
  record.order.prioritised = on;
  record.error = "";
  announce(t(on ? "announce-first" : "announce-back", { table }));
  render();
  const { result, error } = await tools.post(`${options.orders}${encodeURIComponent(orderId)}/prioritise`, { on });
  if (error) Object.assign(record, { error, order: { ...record.order, prioritised: !on } });
  else applyOrder(result, now());
  render();
}

function goOn(record) {
  if (record.status === CANCELLED && !record.move) acknowledge(record);
  const to = NEXT[record.status];
  if (!to || (record.move && !record.move.acknowledged)) return;
  const next = ticket.nextStep(record);
  if (next === "all-done" || next === "not-done") setAllDone(record, next === "all-done");
  else if (next !== "waits") step(record, to);
}

// --- entries that are done ---

function tick(record, position) {
  const item = record.items.find((each) => each.position === position);
  if (!OPEN.includes(record.status) || !item || remaining(item) === 0 || ticket.waits(item)) return;
  const { tableNumber: table } = record.order;
  announce(t(item.done ? "announce-not-done" : "announce-done", { table, item: item.name }));
  setDone(record, position, !item.done);
}

/** A station's own entries, one after the other: the last one may make the order ready. What belongs to none comes last. */
async function setAllDone(record, done) {
  const live = record.items.filter((item) => remaining(item) > 0 && !ticket.waits(item));
  const all = live.filter((item) => Boolean(item.done) !== done);
  const own = all.filter((item) => item.station);
  const changed = own.length ? own : all;
  for (const { position } of changed) record.wanted.set(position, done);
  render();
  for (const { position } of changed) await setDone(record, position, done);
}

/** Show it at once, and as it was if the request fails. What is touched meanwhile is sent after it. */
async function setDone(record, position, done) {
  const { orderId } = record.order;
  record.wanted.set(position, done);
  record.error = "";
  render();
  if (record.sending.has(position)) return;
  record.sending.add(position);
  while (record.wanted.has(position)) {
    const wanted = record.wanted.get(position);
    const path = `${options.orders}${encodeURIComponent(orderId)}/items/${position}/done`;
    const { result, error } = await tools.post(path, { done: wanted });
    if (error) {
      record.wanted.clear();
      record.error = error;
      announce(t("announce-error", { table: record.order.tableNumber, error }));
      connection.pollSoon();
    } else {
      applyOrder(result, now());
      record.tickedAt = now();
    }
    if (record.wanted.get(position) === wanted) record.wanted.delete(position);
  }
  record.sending.delete(position);
  render();
}

/** The ticket stays until the server has it, so that no display misses a cancellation. */
async function acknowledge(record) {
  const move = (record.move = { to: ACKNOWLEDGED, next: null, acknowledged: false });
  render();
  const error = await post(record.order.orderId, ACKNOWLEDGED);
  record.move = null;
  if (!error) Object.assign(record, { status: ACKNOWLEDGED, serverStatus: ACKNOWLEDGED, settledAt: now() });
  else if (!move.acknowledged) record.error = error;
  show(record);
  render();
}

// --- undo ---

function step(record, to) {
  undo.add(record, to);
  announceMove(record, to);
  moveTo(record, to);
}

function back({ record, from, isFirst }) {
  if (isFirst !== undefined) return void putFirst(record, !isFirst);
  announceMove(record, from);
  moveTo(record, from);
}

function announceMove({ order }, status) {
  announce(t("announce-moved", { table: order.tableNumber, status: t(status) }));
}

// --- recall ---

function bringBack(served) {
  const order = own(served);
  if (!order) return;
  if (!records.has(order.orderId)) addRecord(order, order.status, {});
  step(records.get(order.orderId), "ready");
}

/** Forget all orders that are neither shown nor can be brought back by undo. */
function prune() {
  const undone = undo.records();
  for (const [id, record] of records) {
    const isSettled = now() - record.settledAt > SETTLE; // a poll under way may still list what was acknowledged
    if (!isShown(record) && !record.move && !undone.has(record) && isSettled) records.delete(id);
  }
}

// --- tools ---

const COUNTS = "kitchen-counts";

function toggleCounts(open) {
  byId("counts").hidden = !open;
  byId("counts-button").setAttribute("aria-expanded", String(open));
}

byId("counts-button").addEventListener("click", () => {
  const open = byId("counts").hidden;
  remember(COUNTS, open ? "open" : "closed");
  byId("tools-more").hidePopover(); // of a phone
  toggleCounts(open);
});
toggleCounts((recalled(COUNTS) ?? (matchMedia("(min-width: 90rem)").matches ? "open" : "closed")) === "open");

byId("sound-button").addEventListener("click", sound.press);

// --- rendering ---

function render() {
  prune();
  const shown = shownRecords();
  for (const record of shown) {
    record.items = itemsOf(record);
    const [isReady, isDone] = [record.status === "ready", ticket.isDone(record.items)];
    if (!isReady) delete record.order.readyAt;
    if (!isDone) delete record.order.doneAt;
    record.becameReady = isReady ? (record.becameReady ?? connection.serverTime()) : null;
    record.becameDone = isDone ? (record.becameDone ?? connection.serverTime()) : null;
  }
  cancelled.place(shown);
  if (hasLoaded) {
    board.show(shown, connection.serverTime());
    seen.drawn(shown);
  }
  undo.show();
}

let newIds = "";

function onTime() {
  const shown = shownRecords();
  const time = connection.serverTime();
  const ids = shown.filter((record) => record.newUntil > time).map((record) => record.order.orderId).join();
  if (ids !== newIds) render();
  newIds = ids;
  board.tick(shown, time);
  tools.tick(time);
  undo.show();
}

document.body.classList.add("is-running");
recall.start(bringBack);
undo.start(back);
tools.start();
soldOut.start();
sound.start(() => board.showSound(sound.state()));
connection.start(
  { socketUrl: `${options.socket.replace(/\/+$/, "")}/kitchen`, pollUrl: `${options.kitchen}?times=true&recent=true` },
  {
    message: onMessage,
    orders: onOrders,
    state: tools.showState,
    change: () => board.showConnection(connection.state(), connection.serverTime),
  },
);
setInterval(onTime, 250);
watchAttention(30_000);
onTime();
