// What is in the order that staff take: a line for each dish with its note, in the order in which they were chosen.
import { ignoreEnter } from "../dom.js";
import { fill, say } from "../words.js";

const panel = document.getElementById("running");
const template = document.getElementById("running-line");
export const isShown = Boolean(panel && template); // the page of choices and notes shows nothing else
const bar = document.getElementById("send-bar");
const opener = document.getElementById("sum-open");
const list = document.getElementById("running-lines");
const none = document.getElementById("running-none");
const shown = new Map(); // by line: its element, which stays while the line does, and keeps the focus

function create({ line, id, name, step, open, write, serve }) {
  const element = template.content.firstElementChild.cloneNode(true);
  const [quantity, field] = [".stepper input", ".running-field"].map((each) => element.querySelector(each));
  const what = element.querySelector(".running-what");
  const note = element.querySelector(".running-note");
  const add = element.querySelector(".running-add");
  for (const each of element.querySelectorAll("[aria-label]")) {
    each.setAttribute("aria-label", fill(each.getAttribute("aria-label"), { name }));
  }
  for (const each of element.querySelectorAll(".running-edit .visually-hidden")) each.textContent = `: ${name}`;
  if (!write) add.textContent = add.dataset.choices;
  element.querySelector(".running-dish").textContent = name;
  element.querySelector(".fewer").addEventListener("click", () => step(-1));
  element.querySelector(".more").addEventListener("click", () => step(1));
  quantity.addEventListener("focus", () => quantity.select());
  quantity.addEventListener("change", () => step(Number(quantity.value) - quantity.defaultValue));
  what.addEventListener("click", () => {
    if (element.classList.contains("running-open")) return open(); // first its choices
    unfold(element.querySelector(".running-edit").hidden ? element : null);
  });
  note.addEventListener("click", () => {
    if (!write) return open(); // among its choices
    note.hidden = true;
    field.hidden = false;
    field.focus();
  });
  const when = element.querySelector(".course");
  if (write) [field.name, when.name] = [`note-${id}`, `course-${id}`];
  when.addEventListener("change", () => serve(when.value));
  field.addEventListener("input", () => write(field.value));
  field.addEventListener("blur", () => {
    field.hidden = true;
    note.hidden = false;
  });
  ignoreEnter(quantity);
  ignoreEnter(field, () => note.focus());
  shown.set(line, element);
  list.append(element);
  element.scrollIntoView({ block: "nearest" });
  return element;
}

/** Its quantity and its note, below it: of one line at a time. */
function unfold(line) {
  for (const element of shown.values()) {
    element.querySelector(".running-what").setAttribute("aria-expanded", element === line);
    element.querySelector(".running-edit").hidden = element !== line;
  }
  line?.scrollIntoView({ block: "nearest" });
}

function remove(line, element) {
  const hadFocus = element.contains(document.activeElement);
  const next = element.nextElementSibling ?? element.previousElementSibling;
  element.remove();
  shown.delete(line);
  if (hadFocus) next?.querySelector(".running-what").focus();
}

// On a phone it lies over the menu.
function open(isOpen) {
  bar.classList.toggle("send-bar-open", isOpen);
  opener.setAttribute("aria-expanded", isOpen);
}

if (isShown) {
  panel.hidden = false;
  opener.addEventListener("click", () => open(!bar.classList.contains("send-bar-open")));
  bar.addEventListener("click", ({ target }) => target === bar && open(false));
  bar.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !bar.classList.contains("send-bar-open")) return;
    open(false);
    opener.focus();
  });
}

export const close = () => open(false);

/** `lines`: {line, id, name, options, note, caution, isOpen, isGone, course, quantity, amount, step,
    open, write, serve} each. `write` takes its note; null where that is among its choices. `serve` takes its course. */
export function show(lines) {
  const kept = new Set(lines.map((each) => each.line));
  for (const [line, element] of shown) if (!kept.has(line)) remove(line, element);
  for (const each of lines) {
    const element = shown.get(each.line) ?? create(each);
    const [quantity, field] = [".stepper input", ".running-field"].map((name) => element.querySelector(name));
    element.classList.toggle("running-open", each.isOpen);
    element.classList.toggle("running-gone", each.isGone);
    const when = element.querySelector(".course");
    when.value = each.course;
    say(element.querySelector(".running-course"), each.course === "0" ? "" : when.selectedOptions[0].textContent.trim());
    quantity.value = quantity.defaultValue = each.quantity;
    if (each.write && field.value.trim() !== each.note) field.value = each.note;
    element.querySelector(".running-count").textContent = `${each.quantity}\u00a0×`;
    element.querySelector(".amount").textContent = each.amount;
    say(element.querySelector(".running-options"), each.options);
    say(element.querySelector(".running-noted"), each.note);
    say(element.querySelector(".running-caution"), each.caution);
  }
  none.hidden = shown.size > 0;
}
