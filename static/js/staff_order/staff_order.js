// Staff take an order: a tap for one more, and an order that is sent once, also over a bad network. The page of choices and
// notes shows neither the menu nor the list of the order.
import { ignoreEnter, within } from "../dom.js";
import { fieldsOf, post } from "../http.js";
import { moneyOfCents, toCents } from "../money.js";
import { watchSoldOut } from "../sold_out.js";
import { counted, fill, say } from "../words.js";
import * as allergies from "./allergies.js";
import * as menu from "./menu.js";
import * as running from "./running.js";

const form = document.getElementById("order");
const most = Number(form.dataset.most);
const count = document.getElementById("count");
const total = document.getElementById("total");
const send = document.getElementById("send");
const message = document.getElementById("message");
const allLater = document.getElementById("running-all");
const words = send.textContent;
const quantityOf = (input) => within(Math.trunc(Number(input.value)) || 0, 0, most);
const later = document.getElementById("later");
const isGone = (dish) => dish.element.classList.contains("dish-gone");

// --- the menu ---

// A dish has `lines`: itself, or one for each variant of it that is chosen.
const dishes = [...form.querySelectorAll(".dish[data-item]")].map((element) => ({
  element,
  name: element.querySelector(".dish-name").textContent,
  cents: toCents(element.dataset.price),
  course: element.dataset.course,
  isVaried: element.classList.contains("dish-varied"),
  lines: [],
}));
let nextNumber = Math.max(-1, ...[...form.querySelectorAll("[data-variant]")].map((each) => each.dataset.variant)) + 1;

const checked = (line) => (line.body ? [...line.body.querySelectorAll(".choice :checked")] : []);
const priceOf = (dish, line) => checked(line).reduce((sum, each) => sum + toCents(each.dataset.price), dish.cents);
const itemsOf = (dish) => dish.lines.reduce((sum, line) => sum + quantityOf(line.quantity), 0);

function clone(id, values) {
  const copy = document.getElementById(id).content.cloneNode(true);
  for (const element of copy.querySelectorAll("*")) {
    for (const attribute of element.attributes) attribute.value = fill(attribute.value, values);
    if (element.matches(".visually-hidden")) element.textContent = fill(element.textContent, values);
  }
  return copy;
}

const searched = document.getElementById("search-field");
if (searched) ignoreEnter(searched);

// --- what is chosen ---

let sent = false;
let isSending = false;

function showTotal() {
  let items = 0;
  let sum = 0;
  for (const dish of dishes) {
    showCount(dish);
    if (dish.isVaried) showVariants(dish);
    showCaution(dish);
    if (isGone(dish)) continue;
    for (const line of dish.lines) {
      items += quantityOf(line.quantity);
      sum += quantityOf(line.quantity) * priceOf(dish, line);
    }
  }
  count.textContent = counted(count.dataset, items);
  total.textContent = items ? moneyOfCents(sum) : "";
  send.disabled = isSending || !items;
  if (!isSending) showLater(items);
  if (running.isShown) running.show(dishes.flatMap(runningLines));
  return items;
}

/** What the button does, and that of the list. */
function showLater(items) {
  send.textContent = later.checked ? form.dataset.keep : words;
  if (!allLater) return;
  allLater.hidden = !items;
  allLater.textContent = later.checked ? allLater.dataset.now : allLater.dataset.later;
}

function showCount(dish) {
  const number = dish.element.querySelector(".dish-number");
  dish.element.classList.toggle("dish-chosen", itemsOf(dish) > 0);
  if (number) number.textContent = itemsOf(dish);
}

/** What the list of the order shows of a dish. */
function runningLines(dish) {
  const { element } = dish;
  const some = dish.lines.filter((line) => quantityOf(line.quantity));
  return some.map((line) => ({
    line,
    id: element.dataset.item,
    name: dish.name,
    options: line.body ? whatOf(line) : "",
    note: (line.element ? line.element.querySelector(".variant-note").value : line.note).trim(),
    caution: element.querySelector(isGone(dish) ? ".dish-sold" : ".dish-caution").textContent,
    isOpen: Boolean(unmet(line)),
    isGone: isGone(dish),
    course: line.select?.value ?? line.course,
    quantity: quantityOf(line.quantity),
    amount: moneyOfCents(quantityOf(line.quantity) * priceOf(dish, line)),
    step: (by) => step(dish, line, by),
    open: () => openLine(dish, line),
    write: line.element ? null : (note) => write(line, note),
    serve: (course) => {
      serve(line, course);
      showTotal();
    },
  }));
}

/** Of a dish without choices the list has the field. */
function serve(line, course) {
  if (line.select) line.select.value = course;
  else line.course = course;
}

allLater?.addEventListener("click", () => {
  later.checked = !later.checked;
  showTotal();
});

function write(line, note) {
  line.note = note;
  showTotal();
}

/** From the list to where it is in the menu, with its choices. */
function openLine(dish, line) {
  reveal(dish);
  if (line.element) return focusOn(line);
  dish.element.scrollIntoView({ block: "nearest" });
  (dish.element.querySelector(".add") ?? line.quantity).focus({ preventScroll: true });
}

function reveal(dish) {
  if (running.isShown) running.close();
  menu.reveal(dish.element);
}

function step(dish, line, by) {
  line.quantity.value = within(quantityOf(line.quantity) + by, 0, most);
  if (by && !quantityOf(line.quantity)) serve(line, dish.course); // when it is added once more
  if (!quantityOf(line.quantity) && line.element) removeVariant(dish, line);
  if (by && !dish.isVaried) fold(dish);
  if (!itemsOf(dish) && dish.element.contains(document.activeElement) && by) {
    dish.element.querySelector(".add")?.focus({ preventScroll: true }); // its minus goes away
  }
  showTotal();
}

function listen(dish, line, element) {
  element.querySelector(".fewer").addEventListener("click", () => step(dish, line, -1));
  element.querySelector(".more")?.addEventListener("click", () => step(dish, line, 1));
  line.quantity.addEventListener("focus", () => line.quantity.select());
  line.quantity.addEventListener("input", () => step(dish, line, 0));
  ignoreEnter(line.quantity);
}

// --- a dish without choices ---

/** Its note is written in the list of the order, where there is one. */
function addSimple(dish) {
  const { element } = dish;
  const note = element.querySelector(".note input");
  const select = element.querySelector(".course");
  const line = {
    quantity: element.querySelector('[name^="quantity-"]'),
    note: note?.value ?? "",
    select: running.isShown ? null : select,
    course: select?.value ?? dish.course,
  };
  dish.lines.push(line);
  listen(dish, line, element);
  if (running.isShown) for (const each of element.querySelectorAll(".note, .course")) each.remove();
  else if (note) ignoreEnter(note);
  element.querySelector(".add")?.addEventListener("click", () => step(dish, line, 1));
}

// --- the variants of a dish with choices ---

const groupsOf = (line) => [...line.body.querySelectorAll(".group")];
const isMet = (group) => {
  const taken = group.querySelectorAll(":checked").length;
  return taken >= Number(group.dataset.min) && taken <= Number(group.dataset.max);
};
const unmet = (line) => (line.body ? groupsOf(line).find((group) => !isMet(group)) : null);
const whatOf = (line) => checked(line).map(allergies.textOf).join(", ") || (unmet(line) ? form.dataset.nothing : "");

function addLine(dish, element) {
  const quantity = element.querySelector('[name^="variantQuantity-"]');
  const select = element.querySelector(".course");
  const line = { element, quantity, select, body: element.querySelector(".variant-body") };
  dish.lines.push(line);
  listen(dish, line, element);
  ignoreEnter(element.querySelector(".variant-note"));
  element.querySelector(".variant-done")?.addEventListener("click", () => finish(dish, line));
  element.querySelector(".another")?.addEventListener("click", () => addVariant(dish));
  element.addEventListener("change", (event) => {
    const group = event.target.closest(".group");
    if (group) limit(group, event.target);
    showMessage("");
    showTotal();
  });
  for (const group of groupsOf(line)) limit(group);
  return line;
}

function addVariant(dish) {
  const unfinished = dish.lines.find((line) => unmet(line));
  if (unfinished) return focusOn(unfinished); // one after the other
  const values = { number: nextNumber, id: dish.element.dataset.item, name: dish.name };
  nextNumber += 1;
  const copy = clone("variant", values);
  for (const id of dish.element.dataset.groups.trim().split(" ")) {
    copy.querySelector(".variant-body").append(clone(`group-${id}`, values));
  }
  fold(dish);
  const variants = dish.element.querySelector(".variants");
  variants.append(copy);
  const line = addLine(dish, variants.lastElementChild);
  serve(line, dish.course);
  focusOn(line);
  showTotal();
}

function removeVariant(dish, line) {
  line.element.remove();
  dish.lines.splice(dish.lines.indexOf(line), 1);
  dish.element.querySelector(".add")?.focus({ preventScroll: true });
}

// The choices that are made; this dish stays under the finger.
function fold({ element }) {
  if (!running.isShown) return; // nothing else would show them
  const before = element.getBoundingClientRect().top;
  for (const dish of dishes) for (const line of dish.lines) if (line.body && !unmet(line)) open(line, false);
  scrollBy({ top: element.getBoundingClientRect().top - before, behavior: "instant" });
}

function finish(dish, line) {
  if (unmet(line)) return askFor(dish, line);
  open(line, false);
  dish.element.querySelector(".add").focus({ preventScroll: true });
  dish.element.scrollIntoView({ block: "nearest" });
}

function open(line, isOpen) {
  line.body.hidden = !isOpen;
}

function focusOn(line) {
  open(line, true);
  const group = unmet(line) || groupsOf(line)[0];
  group?.querySelector("input")?.focus({ preventScroll: true });
  const shown = line.element.previousElementSibling ? line.element : line.element.closest(".dish");
  shown.scrollIntoView({ block: "nearest" });
  if (shown.getBoundingClientRect().bottom > innerHeight) shown.scrollIntoView(); // too tall: from its name on
}

// Of one that may be left out, another tap takes another; of several, none can be added to the last.
function limit(group, changed) {
  const boxes = [...group.querySelectorAll('[type="checkbox"]')];
  const max = Number(group.dataset.max);
  if (max === 1 && changed?.checked) for (const each of boxes) if (each !== changed) each.checked = false;
  const isFull = max > 1 && boxes.filter((each) => each.checked).length >= max;
  for (const each of boxes) each.disabled = isFull && !each.checked;
  if (isMet(group)) group.classList.remove("group-wrong");
}

function showVariants(dish) {
  const isUnfinished = dish.lines.some((line) => unmet(line));
  for (const button of dish.element.querySelectorAll(".variant-end .another")) button.hidden = isUnfinished;
}

// --- allergies ---

const showCaution = (dish) => allergies.showCaution(dish.element, dish.lines.flatMap(checked));

document.getElementById("allergies").addEventListener("change", () => {
  allergies.showTold();
  showTotal();
});

// --- beginning ---

for (const dish of dishes) {
  const { element } = dish;
  if (!dish.isVaried) {
    addSimple(dish);
    continue;
  }
  element.querySelector(".how-many")?.remove(); // of the page without JavaScript
  for (const variant of element.querySelectorAll(".variant")) {
    const line = addLine(dish, variant);
    if (running.isShown && !unmet(line)) open(line, false);
  }
  element.querySelector(".add")?.addEventListener("click", () => addVariant(dish));
  // Of several variants, one of the last.
  element.querySelector(".dish-count .fewer")?.addEventListener("click", () => step(dish, dish.lines.at(-1), -1));
}

// A note among the choices.
form.addEventListener("input", ({ target }) => target.matches(".variant-note, .course") && showTotal());

watchSoldOut(form.dataset.soldOut, (soldOut) => {
  for (const dish of dishes) {
    const gone = soldOut.has(dish.element.dataset.item);
    dish.element.classList.toggle("dish-gone", gone);
    dish.element.querySelector(".dish-sold").hidden = !gone;
  }
  showTotal();
});

// --- sending ---

function showMessage(text) {
  say(message, text);
}

// Of a menu of hundreds, only what is ordered is sent.
function setSent(whole) {
  for (const dish of dishes) {
    const left = !whole && (isGone(dish) || !itemsOf(dish));
    if (dish.isVaried && isGone(dish)) {
      for (const input of dish.element.querySelectorAll(".variants input")) input.disabled = left;
    }
    if (dish.isVaried) continue;
    for (const input of dish.element.querySelectorAll("input")) input.disabled = left;
  }
}

function setSending(sending) {
  isSending = sending;
  if (sending) send.textContent = form.dataset.sending;
  showTotal();
}

// Whether every variant has its choices; else the first that has not is shown.
function isComplete() {
  for (const dish of dishes) {
    const line = dish.isVaried && !isGone(dish) && dish.lines.find((each) => unmet(each));
    if (!line) continue;
    reveal(dish);
    askFor(dish, line);
    return false;
  }
  return true;
}

function askFor(dish, line) {
  const group = unmet(line);
  group.classList.add("group-wrong");
  focusOn(line);
  showMessage(fill(form.dataset.choose, { group: group.querySelector(".group-name").textContent, dish: dish.name }));
}

// The page stays open until there is a response: opened again it would have another key, and no order.
async function order() {
  try {
    const response = await post(form.action, fieldsOf(form), { within: 15_000 });
    if (response.status === 401) return showMessage(form.dataset.signedOut);
    if (response.status >= 500 || response.status === 429) throw new Error(response.status);
    sent = true;
    if (response.ok) location.replace(form.dataset.next);
    else form.submit(); // refused: shows the page that says why
  } catch {
    showMessage(form.dataset.unsure);
  } finally {
    if (!sent) {
      setSent(true);
      setSending(false);
    }
  }
}

form.addEventListener("submit", (event) => {
  if (event.submitter?.hasAttribute("formaction")) {
    sent = true; // a step of the form
    return;
  }
  event.preventDefault();
  showMessage("");
  if (!isComplete()) return;
  setSent(false);
  setSending(true);
  order();
});

// Leaving by mistake with an order half taken.
addEventListener("beforeunload", (event) => {
  if (!sent && showTotal()) event.preventDefault();
});

// Back on a page from the browser's cache.
addEventListener("pageshow", () => {
  sent = false;
  setSent(true);
  setSending(false);
  allergies.showTold();
  showTotal();
});
