/* Marking dishes as sold out, from a ticket or from the header's panel, and what is sold out now. */
import { request } from "../http.js";
import { oneAtATime } from "../live.js";
import { plain, searched } from "../words.js";
import * as connection from "./connection.js";
import { byId, clone, moment, remaining, setHidden, setText, t } from "./text.js";
import * as tools from "./tools.js";

const { availability, menu, orders, kitchen } = document.body.dataset;

// Milliseconds.
const READ_EVERY = 60_000; // what is sold out for a while comes back by itself
const TIMEOUT = 5000;
const MOST_FOUND = 12;
const FEW = 5; // portions

let dishes = new Map(); // the server's list, by id
let ticketItems = []; // {id, name} of the ticket whose menu is open

// --- a dish's row ---

function stateOf(dish) {
  if (dish.available) return dish.portions !== null && dish.portions <= FEW ? t("portions", { count: dish.portions }) : "";
  if (dish.portions === 0) return t("portions-none");
  if (!dish.until) return t("until-switched-on");
  return t("until-time", { time: moment(Date.parse(dish.until), connection.serverTime()) });
}

function row(id, name) {
  const node = clone("dish-template");
  node.dataset.id = id;
  node.querySelector(".dish-name").textContent = name;
  for (const each of node.querySelectorAll("button .visually-hidden")) each.textContent = name;
  showRow(node);
  return node;
}

function showRow(node) {
  const dish = dishes.get(node.dataset.id);
  const isOff = dish ? !dish.available : false;
  setText(node.querySelector(".dish-until"), dish ? `${isOff ? `${t("sold-out")} ` : ""}${stateOf(dish)}` : "");
  node.classList.toggle("is-off", isOff);
  setHidden(node.querySelector(".dish-on"), !isOff);
  setHidden(node.querySelector(".dish-off"), isOff || !dish);
  if (isOff) expand(node, false);
}

function expand(node, open) {
  setHidden(node.querySelector(".dish-lasts"), !open);
  node.querySelector(".dish-off").setAttribute("aria-expanded", String(open));
}

async function send(node, fields) {
  if (node.ariaBusy === "true") return;
  node.ariaBusy = "true";
  const dialog = node.closest("dialog");
  tools.showError(dialog, "");
  const path = dishes.get(node.dataset.id)?.isOption ? `${menu}options/` : menu;
  const { result, error } = await tools.post(`${path}${node.dataset.id}/availability`, new URLSearchParams(fields));
  node.ariaBusy = "false";
  tools.showError(dialog, error);
  if (result) dishes.set(result.id, { ...dishes.get(result.id), ...result, name: dishes.get(result.id)?.name });
  show();
  const next = node.isConnected ? node.querySelector("button:not([hidden])") : null;
  (next ?? dialog.querySelector("h2")).focus();
  refresh();
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest(".dish button");
  if (!button) return;
  const node = button.closest(".dish");
  const isOption = dishes.get(node.dataset.id)?.isOption; // it lasts until it is switched on
  if (button.matches(".dish-off") && isOption) send(node, { available: "false" });
  else if (button.matches(".dish-off")) expand(node, button.getAttribute("aria-expanded") !== "true");
  else if (button.matches(".dish-on")) send(node, { available: "true" });
  else send(node, { available: "false", lasts: button.dataset.lasts });
});

// --- lists ---

/** Rows that are there already stay, and with them the focus and what is open. */
function fill(list, wanted) {
  const existing = new Map([...list.children].map((node) => [node.dataset.id, node]));
  const nodes = wanted.map(({ id, name }) => existing.get(id) ?? row(id, name));
  const isSame = nodes.length === list.children.length && nodes.every((node, place) => node === list.children[place]);
  if (!isSame) list.replaceChildren(...nodes);
  nodes.forEach(showRow);
}

function found() {
  const words = searched(byId("dish-search").value);
  if (!words.length) return [];
  const all = [...dishes.values()].filter((dish) => dish.available);
  return all.filter((dish) => words.every((word) => plain(dish.name).includes(word))).slice(0, MOST_FOUND);
}

function show() {
  const off = [...dishes.values()].filter((dish) => !dish.available);
  setText(byId("soldout-count"), String(off.length));
  setHidden(byId("soldout-count"), off.length === 0);
  fill(byId("soldout-list"), off);
  setHidden(byId("soldout-none"), off.length > 0);
  fill(byId("soldout-found"), found());
  fill(byId("ticket-menu-list"), ticketItems);
}

export const refresh = oneAtATime(async () => {
  try {
    const response = await request(availability, { within: TIMEOUT });
    if (!response.ok) return;
    const { categories, options = [] } = await response.json();
    const choices = options.flatMap((group) =>
      group.choices.map((choice) => ({ ...choice, name: `${choice.name} · ${group.name}`, portions: null, isOption: true })),
    );
    const items = categories.flatMap((category) => category.items);
    dishes = new Map([...items, ...choices].map((dish) => [dish.id, dish]));
    show();
  } catch {
    // the next time; the connection's banner says what is wrong
  }
});

// --- a ticket's menu ---

export function openTicket(order) {
  const left = order.items.filter((item) => remaining(item) > 0);
  const names = new Map(left.map((item) => [item.menuItemId, item.name]));
  ticketItems = [...names].map(([id, name]) => ({ id, name }));
  setText(byId("ticket-menu-heading"), t("table", { table: order.tableNumber }));
  byId("ticket-menu-cancel").href = `${orders}${order.orderId}/cancel?next=${kitchen}`;
  byId("ticket-menu-list").replaceChildren();
  show();
  const rows = [...byId("ticket-menu-list").children];
  if (rows.length === 1 && !rows[0].classList.contains("is-off")) expand(rows[0], true);
  tools.open(byId("ticket-menu"));
}

export function start() {
  byId("soldout-button").addEventListener("click", () => {
    byId("dish-search").value = "";
    show();
    tools.open(byId("soldout"));
    byId("soldout-heading").focus();
    refresh();
  });
  byId("dish-search").addEventListener("input", show);
  refresh();
  setInterval(refresh, READ_EVERY);
  addEventListener("online", refresh);
}
