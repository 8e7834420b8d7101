// What this phone has chosen, on the menu: Add becomes a stepper, shown at once and taken back if it can't be stored.
//# allFunctionsCalledOnLoad
// (Chromium compiles it now: a first tap would wait.)
import { create } from "../dom.js";
import { request } from "../http.js";
import { moneyOfCents, toCents } from "../money.js";
import { clearToast, toast } from "../toast.js";
import { counted, fill } from "../words.js";

const form = document.getElementById("menu");
const bar = document.getElementById("cart-bar");
const count = document.getElementById("cart-count");
const total = document.getElementById("cart-total");
const announcement = document.getElementById("announcement");

// `stored`: the lines in the server's last response. `wanted`: by dish, what was tapped since and is on its way.
let stored = JSON.parse(document.getElementById("cart-items")?.textContent || "[]");
const wanted = new Map();
const shown = new Map(); // by dish, the count on the page
let isOpening = true; // the page: what was chosen before does not move

const itemOf = (id) => document.getElementById(`item-${id}`);
// A favourite of the house is on the page twice.
const addersOf = (id) => document.querySelectorAll(`:is(#item-${id}, #favourite-${id}) .adder`);
const nameOf = (id) => itemOf(id).querySelector(".item-name").textContent;
const priceOf = (id) => toCents(itemOf(id).querySelector(".item-price").value);
const plain = (id) => stored.find((line) => line.menuItemId === id && !line.options);
const quantityOf = (id) => wanted.get(id)?.quantity ?? plain(id)?.quantity ?? 0;

// --- what the page shows ---

let calm = null; // milliseconds; nothing moves where motion is not wanted
const POP = [{ transform: "none" }, { transform: "scale(1.3)", offset: 0.4 }, { transform: "none" }];
const RISE = [{ opacity: 0, transform: "translateY(100%)" }, { opacity: 1, transform: "none" }];

function animate(element, frames) {
  calm ??= parseFloat(getComputedStyle(element).getPropertyValue("--calm")) || 0;
  if (calm) element.animate(frames, { duration: calm, easing: "cubic-bezier(0.2, 0, 0, 1)" });
}

function unfold(adder) {
  adder.setAttribute("role", "group");
  const counter = create("span", { className: "adder-count tabular strong" });
  counter.append(create("span", { className: "adder-number" }), create("span", { className: "visually-hidden" }));
  counter.firstChild.setAttribute("aria-hidden", "true"); // the words beside it say it too
  if (adder.querySelector("button")) {
    const fewer = create("button", { className: "fewer", type: "button" });
    const opener = create("button", { className: "adder-open", type: "button" });
    adder.prepend(opener, fewer, counter);
    adder.classList.add("is-stepper");
  } else {
    counter.classList.add("badge");
    adder.prepend(counter);
  }
  adder.classList.add("is-chosen");
}

function fold(adder) {
  const focused = adder.contains(document.activeElement);
  for (const each of adder.querySelectorAll(".adder-open, .fewer, .adder-count")) each.remove();
  adder.classList.remove("is-chosen", "is-stepper", "is-open");
  adder.removeAttribute("role");
  adder.removeAttribute("aria-label");
  if (focused) adder.querySelector(".add").focus({ preventScroll: true });
}

function paint(id, quantity) {
  for (const adder of addersOf(id)) paintAdder(adder, id, quantity);
}

function paintAdder(adder, id, quantity) {
  adder.classList.remove("is-touched");
  if (!quantity) return fold(adder);
  if (!adder.matches(".is-chosen")) unfold(adder);
  const counter = adder.querySelector(".adder-count");
  adder.setAttribute("aria-label", nameOf(id));
  counter.firstChild.textContent = quantity;
  counter.lastChild.textContent = fill(form.dataset.count, { count: quantity });
  if (!isOpening) animate(counter, POP);
  const fewer = adder.querySelector(".fewer");
  adder.querySelector(".adder-open")?.setAttribute("aria-label", fill(form.dataset.chosen, { count: quantity, name: nameOf(id) }));
  fewer?.setAttribute("aria-label", fill(quantity === 1 ? form.dataset.remove : form.dataset.fewer, { name: nameOf(id) }));
}

function quantities() {
  const found = new Map();
  for (const line of stored) found.set(line.menuItemId, (found.get(line.menuItemId) || 0) + line.quantity);
  for (const [id, { quantity }] of wanted) {
    const all = (found.get(id) || 0) - (plain(id)?.quantity || 0) + quantity;
    if (all) found.set(id, all);
    else found.delete(id);
  }
  return found;
}

// In cents, because binary fractions would not add up. Nothing is charged for what can't be had any more.
function cents() {
  let sum = 0;
  for (const line of stored) {
    if (line.available && !(wanted.has(line.menuItemId) && !line.options)) sum += toCents(line.price) * line.quantity;
  }
  for (const [id, { quantity }] of wanted) sum += priceOf(id) * quantity;
  return sum;
}

function render() {
  const now = quantities();
  for (const id of new Set([...shown.keys(), ...now.keys()])) {
    if (shown.get(id) !== now.get(id)) paint(id, now.get(id) || 0);
  }
  shown.clear();
  let all = 0;
  for (const [id, quantity] of now) {
    shown.set(id, quantity);
    all += quantity;
  }
  const words = counted(count.dataset, all);
  if (!bar.hidden && words !== count.textContent) animate(count, POP);
  if (bar.hidden && all && !isOpening) rise();
  bar.hidden = all === 0;
  count.textContent = words;
  total.textContent = moneyOfCents(cents());
}

const afterPaint = (then) => requestAnimationFrame(() => setTimeout(then));

// A finger waits for this alone. A hidden page is not painted.
function answer(id) {
  for (const adder of addersOf(id)) {
    const number = adder.querySelector(".adder-number");
    if (number) number.textContent = quantities().get(id) || 0;
    else adder.classList.add("is-touched");
  }
  shown.set(id, -1); // so that it is painted whatever comes
  return new Promise((painted) => {
    afterPaint(painted);
    setTimeout(painted, 200);
  });
}

// A thumb's second tap may be where the bar comes up: for a moment that reaches what is below.
function rise() {
  animate(bar, RISE);
  bar.classList.add("is-rising");
  setTimeout(() => bar.classList.remove("is-rising"), 600);
}

// Before the next tap is handled there may be many: one sentence is enough.
let telling = 0;
function announce(text) {
  clearTimeout(telling);
  telling = setTimeout(() => (announcement.textContent = text), 300);
}

// --- what the server stores: one request after the other, so that the last response is the newest ---

export class Refused extends Error {}
let queue = Promise.resolve();

// Also while the page is being left.
async function exchange(method, body) {
  const response = await request(form.action, { method, body, keepalive: true, within: 10_000 });
  const answer = await response.json();
  // Ids are for programs.
  if (!response.ok) throw new Refused(answer.error.replace(/ \([0-9a-f-]{36}\)/, ""));
  stored = answer.items;
}

function inTurn(method, body) {
  const sent = queue.then(() => exchange(method, body));
  queue = sent.catch(() => null);
  return sent;
}

// Resolves when the page shows the cart as the server has it. Throws Refused, or what fetch throws.
export async function send(method, body) {
  await inTurn(method, body);
  render();
  if (method === "POST") announce(`${count.textContent}, ${total.textContent}`);
}

const isSending = new Set();

// A request names the quantity, so that one that is sent again adds nothing. Taps meanwhile are one more request.
async function store(id) {
  if (isSending.has(id)) return;
  isSending.add(id);
  let failures = 0;
  while (wanted.has(id)) {
    const want = wanted.get(id);
    const change = { menuItemId: id, quantity: want.quantity };
    if (want.note !== undefined) change.specialInstructions = want.note;
    try {
      await inTurn("PATCH", change);
      if (wanted.get(id) === want) wanted.delete(id);
      failures = 0;
    } catch (error) {
      const isRefused = error instanceof Refused;
      failures += 1;
      if (!isRefused && failures < 2 && navigator.onLine) continue;
      wanted.delete(id);
      const words = isRefused ? error.message : fill(form.dataset.failed, { name: nameOf(id) });
      toast(words);
    }
    render();
  }
  isSending.delete(id);
}

// Over a picture it is a count until it is touched, and when something else is.
const open = (adder) => adder.classList.add("is-open");

async function set(id, quantity, note = wanted.get(id)?.note) {
  wanted.set(id, { quantity, note });
  await answer(id);
  render();
  if (quantityOf(id) !== quantity) return; // tapped again meanwhile, or refused
  if (quantity) addersOf(id).forEach(open);
  announce(`${fill(form.dataset.chosen, { count: quantity, name: nameOf(id) })}. ${count.textContent}, ${total.textContent}`);
  store(id);
}

// `adder`: where it was tapped, and where the focus comes back to.
async function remove(id, adder) {
  const quantity = quantityOf(id);
  if (!quantity) return; // a double tap
  const note = wanted.get(id)?.note ?? plain(id)?.specialInstructions ?? "";
  wanted.set(id, { quantity: 0 });
  await answer(id);
  if (quantityOf(id)) return; // added again meanwhile
  // The toast first: it takes the focus, which costs a layout.
  toast(fill(form.dataset.removed, { name: nameOf(id) }), {
    label: form.dataset.undo,
    back: () => {
      set(id, quantity, note);
      adder.querySelector(".add").focus({ preventScroll: true });
    },
    focusAfter: () => adder.querySelector(".add"),
  });
  render();
  store(id);
}

form.addEventListener("submit", (event) => {
  const id = event.submitter?.value;
  if (!id) return;
  event.preventDefault();
  clearToast();
  set(id, Math.min(quantityOf(id) + 1, 99));
});
document.addEventListener("pointerdown", ({ target }) => {
  const left = [...form.querySelectorAll("img + .is-open")].filter((each) => !each.contains(target));
  if (left.length) afterPaint(() => left.forEach((each) => each.classList.remove("is-open")));
});
form.addEventListener("click", (event) => {
  const button = event.target.closest(".adder-open, .fewer");
  const adder = button?.closest(".adder");
  if (!adder) return;
  if (button.matches(".adder-open")) {
    open(adder);
    adder.querySelector(".add").focus({ preventScroll: true });
    return;
  }
  const id = adder.querySelector(".add").value;
  if (quantityOf(id) > 1) set(id, quantityOf(id) - 1);
  else remove(id, adder);
});
// The cart's page has what was tapped last, unless that takes too long.
bar.addEventListener("click", async (event) => {
  if (!wanted.size || event.metaKey || event.ctrlKey) return;
  event.preventDefault();
  const until = performance.now() + 3000;
  while (wanted.size && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 30));
  location.href = bar.href;
});

addEventListener("pagehide", () => [...wanted.keys()].forEach(store));
const readAgain = () => send("GET").catch(() => null);
addEventListener("online", readAgain); // whether a lost request had arrived
// Another page of this phone may have changed the cart; one from the back/forward cache may be older.
document.addEventListener("visibilitychange", () => document.hidden || readAgain());
const [visit] = performance.getEntriesByType("navigation");
addEventListener("pageshow", (event) => {
  if (event.persisted || visit?.type === "back_forward") readAgain();
});

render();
isOpening = false;
