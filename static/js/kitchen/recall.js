/* The dialog with what was served lately, to bring it back: the server's list, the same on every display. */
import { request } from "../http.js";
import { byId, clone, hourAndMinute, remaining, setHidden, t } from "./text.js";
import * as tools from "./tools.js";

const MINUTES = 60;
// Milliseconds.
const READ_EVERY = 5000; // while it is open
const TIMEOUT = 4000;

const dialog = byId("recall");
const url = `${document.body.dataset.kitchen}?status=served&minutes=${MINUTES}`;
let timer = 0;
let reading = false;
let shown = "";
let bringBack = () => {};

function row(order) {
  const node = clone("recall-template");
  const table = t("table", { table: order.tableNumber });
  node.querySelector(".recalled-table").textContent = table;
  const time = hourAndMinute(Date.parse(order.servedAt));
  node.querySelector(".recalled-when").textContent = t("recall-served", { time });
  const left = order.items.filter((item) => remaining(item) > 0);
  const items = left.map((item) => `${remaining(item)}× ${item.name}`).join(", ");
  node.querySelector(".recalled-items").textContent = items;
  const back = node.querySelector(".recalled-back");
  back.lastElementChild.textContent = table;
  back.addEventListener("click", () => {
    dialog.close();
    bringBack(order);
  });
  return node;
}

/** Rows that are shown already stay, and with them the focus. */
function show(orders) {
  const text = JSON.stringify(orders);
  setHidden(byId("recall-empty"), orders.length > 0);
  if (text === shown) return;
  shown = text;
  const focused = dialog.contains(document.activeElement) && document.activeElement.closest("[data-order]");
  byId("recall-list").replaceChildren(
    ...orders.map((order) => {
      const node = row(order);
      node.dataset.order = order.orderId;
      return node;
    }),
  );
  if (!focused) return;
  const again = byId("recall-list").querySelector(`[data-order="${focused.dataset.order}"] button`);
  (again ?? byId("recall-heading")).focus();
}

async function read() {
  clearTimeout(timer);
  if (reading) return;
  reading = true;
  let orders = null;
  try {
    const response = await request(url, { within: TIMEOUT });
    if (response.ok) ({ orders } = await response.json());
  } catch {
    // Not connected: `orders` stays null.
  }
  reading = false;
  if (!dialog.open) return;
  setHidden(byId("recall-failed"), orders !== null);
  if (orders) show(orders);
  timer = setTimeout(read, READ_EVERY);
}

export function start(onBack) {
  bringBack = onBack;
  byId("recall-button").addEventListener("click", () => {
    tools.open(dialog);
    read();
  });
}

export const refresh = () => dialog.open && read();
