/* Cancelled orders: the columns that they were in, which survive a reload of this tab, and what is said about them. */
import { OPEN } from "./board.js";
import * as sound from "./sound.js";
import { announce, remaining, t } from "./text.js";
import * as ticket from "./ticket.js";

const KEY = "kitchen-columns";
const [FIRST] = OPEN;
const LAST = OPEN.at(-1);
const { station } = document.body.dataset;

let columns = new Map();
try {
  columns = new Map(JSON.parse(sessionStorage.getItem(KEY)) ?? []);
} catch {
  // Disabled: after a reload they are in the first column.
}
let savedColumns = "";

/** A station's display has two: what is to do, and what it is done with. */
function columnOf({ status, items }) {
  if (!station) return status;
  return status === LAST || (ticket.isDone(items) && !ticket.isToCome(items)) ? LAST : FIRST;
}

/** Give every record its column: a cancelled one stays where it was. */
export function place(records) {
  for (const record of records) {
    if (OPEN.includes(record.status)) record.column = columnOf(record);
    else record.column ??= columns.get(record.order.orderId) ?? FIRST;
  }
  columns = new Map(records.map((record) => [record.order.orderId, record.column]));
  const text = JSON.stringify([...columns]);
  if (text === savedColumns) return;
  savedColumns = text;
  try {
    sessionStorage.setItem(KEY, text);
  } catch {
    // Full or disabled.
  }
}

export function tellWhole({ tableNumber: table }) {
  sound.chimeCancelled();
  announce(t("announce-cancelled", { table }));
}

/** Tell what of an open order was cancelled since it looked like `before`. */
export function tellParts(before, { items, tableNumber: table }) {
  const gone = items.map((item, place) => [remaining(before.items[place] ?? item) - remaining(item), item.name]);
  const names = gone.filter(([count]) => count > 0).map(([count, name]) => `${count}× ${name}`);
  if (!names.length) return;
  sound.chimeCancelled();
  announce(t("announce-part", { table, items: names.join(", ") }));
}
