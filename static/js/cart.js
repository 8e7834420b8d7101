// The cart: quantities change on the page and are saved on the server; an order is placed once, also over a bad network.
//# allFunctionsCalledOnLoad
// (Chromium compiles it now: a first tap would wait.)
import "./calls.js";
import { within } from "./dom.js";
import { isBusy, post, readPage, request, setReady } from "./http.js";
import { money, moneyOfCents, ofCents, toCents } from "./money.js";
import { putParts } from "./page.js";
import { sendAgain } from "./send_again.js";
import { watchSoldOut } from "./sold_out.js";
import { toast } from "./toast.js";
import { fill, say, write } from "./words.js";

// Beside the order there is room for what is folded below it.
const wide = matchMedia("(min-width: 48rem)");
const folds = document.querySelectorAll(".cart-next > details");
const unfold = () => folds.forEach((fold) => (fold.open = wide.matches));
if (wide.matches) unfold();
wide.addEventListener("change", unfold);

// Another page of this phone may have changed the cart, or ordered it, since this one was looked at.
const cart = document.querySelector("[data-cart]").dataset.cart;
const form = document.getElementById("cart");
const openAnew = (query = "") => location.replace(cart + query);
addEventListener("pageshow", (event) => event.persisted && openAnew());
if (!form) document.addEventListener("visibilitychange", () => document.hidden || openAnew());
const message = document.getElementById("cart-message");

// Parts of the page are read anew: these are looked up where they are needed.
const place = () => document.getElementById("place"); // null while the kitchen takes no orders
const allLines = () => [...form.querySelectorAll("[data-line]")];
const lines = () => allLines().filter((line) => !line.classList.contains("line-gone"));
const field = (line, name) => line.querySelector(`[name$="${name}"]`);
const quantity = (line) => within(Math.trunc(Number(field(line, "quantity").value)) || 1, 1, 99);
const entry = (line) => ({
  menuItemId: line.dataset.item,
  quantity: quantity(line),
  specialInstructions: field(line, "specialInstructions").value,
  ...(line.dataset.options && { options: line.dataset.options.split(",") }),
});

// Whether the phone's card gets the points, where it has one.
const collecting = () => (form.elements.collect ? { collect: form.elements.collect.checked } : {});

function showMessage(text) {
  // An item's id is for programs.
  say(message, text.replace(/ \([0-9a-f-]{36}\)/g, ""));
}

// --- what the page shows ---

let sending = false; // an order
let locked = false; // an order was sent, and it is not known whether it arrived
let confirming = form && "confirming" in form.dataset; // the menu has changed: the button names the new total

// Computed in cents, because binary fractions would not add up.
function showTotals() {
  let cents = 0;
  for (const line of lines()) {
    const count = quantity(line);
    const sum = toCents(line.dataset.price) * count;
    write(line.querySelector(".line-total"), moneyOfCents(sum));
    line.querySelector(".line-each").hidden = count === 1;
    showLast(line.querySelector(".stepper"), count === 1);
    const few = line.querySelector(".line-few");
    if (few) few.hidden = count <= Number(few.dataset.possible);
    cents += sum;
  }
  const words = moneyOfCents(cents);
  write(document.getElementById("total"), words);
  showPoints(cents);
  if (sending || !place()) return ofCents(cents);
  write(place(), fill(confirming ? form.dataset.confirm : form.dataset.place, { total: words }));
  place().hidden = !lines().length;
  return ofCents(cents);
}

// One fewer than one is none.
function showLast(stepper, isLast) {
  const fewer = stepper.querySelector('[name="fewer"]');
  stepper.classList.toggle("stepper-last", isLast);
  const label = isLast ? fewer.dataset.remove : fewer.dataset.fewer;
  if (fewer.getAttribute("aria-label") !== label) fewer.setAttribute("aria-label", label);
}

// Of the total that the page came with: how many another earns the server knows.
function showPoints(cents) {
  const points = document.getElementById("total-points");
  if (!points) return;
  const isKnown = toCents(points.dataset.total) === cents;
  points.hidden = !isKnown || form.elements.collect?.checked === false;
  const later = document.getElementById("total-points-later");
  if (later) later.hidden = isKnown;
}

function setSoldOut(line, gone) {
  if (line.classList.contains("line-gone") === gone) return;
  line.classList.toggle("line-gone", gone);
  field(line, "quantity").value = quantity(line); // what can't be seen must not be invalid
  say(line.querySelector(".line-why"), gone ? form.dataset.soldOut : "");
}

// `before`: by line, what it cost on the page that sent the order.
function showPrices(before) {
  for (const line of lines()) {
    const [then, now] = [before.get(line.dataset.line), Number(line.dataset.price)];
    if (then === undefined || then === now) continue;
    const prices = { before: money(then), now: money(now) };
    say(line.querySelector(".line-changed"), fill(form.dataset.priceChanged, prices));
    say(line.querySelector(".line-each"), fill(form.dataset.each, { price: prices.now }));
  }
  showTotals();
}

// --- the page anew: what the server says of each line, and whether the kitchen takes orders ---

async function readAnew(...parts) {
  try {
    const page = await readPage(cart);
    if (!page.getElementById("cart")) return false;
    // Of the lines that this page shows, and no others.
    if (parts.includes("lines")) form.elements.cartVersion.value = page.getElementById("cart").elements.cartVersion.value;
    putParts(page, parts.map((name) => `[data-part="${name}"]`));
    return true;
  } catch {
    return false;
  }
}

// What was refused is saved first, so that the page shows it. `items`: the order's entries as the menu has them now.
async function showRefusal(body, sent) {
  const before = new Map(sent.map((line) => [line.dataset.line, Number(line.dataset.price)]));
  unsaved = true;
  await save();
  if (!(await readAnew("notices", "lines", "place"))) {
    for (const [number, item] of (body.items || []).entries()) {
      setSoldOut(sent[number], !item.available);
      sent[number].dataset.price = item.price;
    }
  }
  confirming = confirming || Boolean(body.items);
  showPrices(before);
  showMessage(place() ? body.error : ""); // while it is closed the page says so itself
  const mark = form.querySelector(".line-few") || form.querySelector(":is(.line-why, .line-changed):not([hidden])");
  mark?.scrollIntoView({ block: "center" });
}

// --- saving the cart ---

let timer = 0;
let unsaved = false;
let saving = Promise.resolve();

function saveSoon() {
  clearTimeout(timer);
  unsaved = true;
  timer = setTimeout(save, 500);
}

// One request after the other, so that the last change wins.
function save() {
  clearTimeout(timer);
  saving = saving.then(put);
  return saving;
}

let isKnown = true; // the version of the cart: a response may have been lost

async function put() {
  if (!unsaved) return;
  unsaved = false;
  const cartVersion = isKnown ? form.elements.cartVersion.value : "";
  isKnown = false;
  try {
    const changed = { items: allLines().map(entry), cartVersion, ...collecting() };
    // Also while the page is being left.
    const response = await request(cart, { method: "PUT", body: changed, keepalive: true });
    if (response.status >= 500) throw new Error(response.status);
    const body = await response.json();
    isKnown = true;
    if (isChanged(response, body)) return;
    if (response.ok) form.elements.cartVersion.value = body.cartVersion;
    showMessage(response.ok ? "" : body.error);
  } catch {
    if (sending) return;
    unsaved = true;
    timer = setTimeout(save, 5000);
    showMessage(form.dataset.unsaved);
  }
}

// Nothing of this page counts any more: the page anew says so.
function isChanged(response, body) {
  if (response.status !== 409 || !body.cartVersion) return false;
  unsaved = false;
  openAnew("?changed=yes");
  return true;
}

async function lookAgain() {
  if (document.hidden || sending || locked) return;
  if (unsaved) await save();
  await saving;
  try {
    const { cartVersion } = await (await request(cart)).json();
    if (unsaved || sending || locked || !cartVersion) return;
    if (cartVersion !== form.elements.cartVersion.value) openAnew();
  } catch {
    // it is compared again when something is saved or ordered
  }
}

function step(button) {
  const line = button.closest("[data-line]");
  const few = button.name === "take" ? parseInt(button.value, 10) : 0;
  const by = { more: 1, fewer: -1 }[button.name] || 0;
  if (button.name === "remove" || few + quantity(line) + by < 1) remove(line);
  else field(line, "quantity").value = Math.min(few || quantity(line) + by, 99);
  if (few) field(line, "quantity").focus(); // the button goes away
  requestAnimationFrame(() => setTimeout(showTotals)); // the finger waits for the quantity alone
  saveSoon();
}

// What goes well with it; the lines are saved first.
async function addBeside(button) {
  if (isBusy(button)) return;
  await save();
  try {
    isKnown = false;
    const response = await post(cart, { menuItemId: button.value, quantity: 1 });
    showMessage(response.ok ? "" : (await response.json()).error);
    isKnown = true;
    if (response.ok && !(await readAnew("lines", "suggestions"))) openAnew();
    else if (response.ok) field(allLines().at(-1), "quantity").focus({ preventScroll: true }); // the button has gone
    showTotals();
  } catch {
    showMessage(button.closest(".goes-with").dataset.failed);
  }
  setReady(button);
}

// A toast offers the way back, until it goes or another line is removed.
function remove(line) {
  const after = line.nextElementSibling;
  const words = fill(form.dataset.removed, { name: line.querySelector(".line-name").textContent });
  const focusAfter = () => (after?.isConnected ? after : form).querySelector(".stepper button") || document.querySelector(".back");
  showEmpty(allLines().length === 1);
  if (line.dataset.problem.startsWith("choice")) {
    toast(words); // the menu would not take it back
    line.remove();
    focusAfter().focus({ preventScroll: true });
    return;
  }
  // The toast first: it takes the focus, which costs a layout, and would cost two after the line had lost it.
  toast(words, { label: form.dataset.undo, back: () => putBack(line, after), focusAfter });
  line.remove();
}

function putBack(line, before) {
  const list = form.querySelector(".lines"); // it may have been read anew
  list.insertBefore(line, before?.parentElement === list ? before : null);
  showEmpty(false);
  field(line, "quantity").focus();
  showTotals();
  saveSoon();
}

function showEmpty(isEmpty) {
  const empty = document.getElementById("cart-empty");
  const [bar, home] = [document.getElementById("toast"), isEmpty ? empty : form.querySelector(".foot")];
  if (bar.parentElement !== home) home.append(bar);
  form.hidden = isEmpty;
  empty.hidden = !isEmpty;
}

// --- placing the order ---

// Every attempt has the same key and body, so the server stores one order.
async function send() {
  const allergies = [...form.querySelectorAll('[name="allergies"]:checked')].map((box) => box.value);
  const body = {
    items: lines().map(entry),
    sessionId: form.elements.sessionId.value,
    cartVersion: isKnown ? form.elements.cartVersion.value : "",
    expectedTotal: showTotals(),
    ...(allergies.length && { allergies }),
    ...collecting(),
  };
  const key = form.elements.idempotencyKey.value;
  return sendAgain(form.action, { body, key }, () => write(place(), form.dataset.waiting));
}

// Until it is known whether the order arrived it must not change: another body would be another order.
function lock(on) {
  locked = on;
  for (const element of form.querySelectorAll(":is(.lines, .goes-with, .told, .collect) :is(button, input, textarea)")) element.disabled = on;
}

async function order() {
  if (sending) return;
  sending = true;
  clearTimeout(timer);
  unsaved = false; // saved after the order, its lines would be back in the cart
  const [button, ordered] = [place(), lines()];
  const label = button.textContent;
  button.disabled = true;
  button.textContent = form.dataset.sending;
  showMessage("");
  const sent = saving.then(send);
  await saving;
  lock(true);
  const response = await sent;
  const body = response ? await response.json().catch(() => ({})) : {};
  if (response && response.ok) {
    location.href = `/orders/${body.orderId}`;
    return;
  }
  if (response && isChanged(response, body)) return;
  button.disabled = false;
  button.textContent = label;
  sending = false;
  if (response) {
    lock(false);
    await showRefusal(body, ordered);
  } else {
    showMessage(form.dataset.unsure);
  }
  showTotals();
}

// --- events ---

function listen() {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const button = event.submitter;
    if (button && button === place()) order();
    else if (button && button.name === "addBeside") addBeside(button);
    else if (button && button.name) step(button);
    else save();
  });
  form.addEventListener("input", (event) => {
    if (event.target.name === "allergies") return; // only the order has them
    showTotals();
    saveSoon();
  });
  // Save before the menu or a dish is shown, so that it has the change.
  document.addEventListener("click", async (event) => {
    const link = event.target.closest(".back, .line-change, .goes-with a");
    if (!link || !unsaved || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    const target = link.href;
    await Promise.race([save(), new Promise((resolve) => setTimeout(resolve, 2000))]);
    location.href = target;
  });
  addEventListener("pagehide", () => save());
  addEventListener("online", () => save());
  watchSoldOut(form.dataset.soldOutUrl, (soldOut) => {
    if (sending || locked) return;
    for (const line of allLines()) {
      if (!line.dataset.problem.startsWith("choice")) setSoldOut(line, soldOut.has(line.dataset.item));
    }
    showTotals();
  });
  // While the kitchen takes no orders: a pause may end early.
  setInterval(async () => {
    if (!place() && !document.hidden && (await readAnew("notices", "place"))) showTotals();
  }, 20_000);
  // Reached by going back, the page may show what has been ordered since: load it again.
  const [visit] = performance.getEntriesByType("navigation");
  const key = `reloaded-${form.elements.idempotencyKey.value}`;
  if (visit && visit.type === "back_forward" && !sessionStorage.getItem(key)) {
    sessionStorage.setItem(key, "yes");
    location.reload();
  }
  document.addEventListener("visibilitychange", lookAgain);
  setTimeout(showTotals); // what a browser has filled in counts, and the first tap finds all of it ready
}

if (form) listen(); // else the cart is empty
