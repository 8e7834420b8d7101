/* The tables and what else is in the room on a board: dragged, put where is tapped next, or moved by the arrow keys. */
import { create } from "../dom.js";
import { sentences } from "../sentences.js";
import { offerAdditions } from "./additions.js";
import * as features from "./features.js";
import * as grid from "./grid.js";
import * as panel from "./panel.js";

const form = document.getElementById("plan");
const board = document.getElementById("board");
const tray = document.getElementById("tray");
const said = document.getElementById("plan-said");
const word = sentences(document.getElementById("plan-words"));
const isNarrow = matchMedia("(max-width: 47.99rem)"); // as in floor_arranged.css: large cells, and the rest is scrolled to
const least = () => (isNarrow.matches ? { columns: 4, rows: 3 } : { columns: 7, rows: 4 });
const free = () => ({ columns: isNarrow.matches ? 1 : 2, rows: 1 }); // of the board beyond what the floor shows
const AS_A_CLICK = 5; // pixels that a finger moves by itself
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const spots = new Map(grid.numbers.map((number) => [number, makeSpot(number)]));
const things = new Map(); // by the ids of features
const handle = create("span", { className: "thing-handle" });
let size = least(); // of the board
let chosen = null; // the number of a table, or the id of a feature
let sending = false;

const isTable = (key) => spots.has(key);

const title = (key) => (isTable(key) ? word("table", { number: key }) : features.name(features.get(key)));

function where(key) {
  const place = isTable(key) ? grid.cell(key) : features.get(key);
  if (!place) return word("nowhere");
  const here = word("here", place);
  if (isTable(key)) return here;
  const large = features.isLine(place.kind) ? word("long", { length: place.width || place.height }) : word("large", place);
  return `${here}, ${large}`;
}

const sentence = (key) => `${title(key)}: ${where(key)}`;

function makeButton(key, className) {
  const button = create("button", { type: "button", className });
  button.dataset.key = key;
  button.setAttribute("aria-describedby", "plan-help");
  create("li").append(button);
  return button;
}

function makeSpot(number) {
  const spot = makeButton(number, "spot");
  const row = form.querySelector(`[data-table="${number}"]`);
  spot.append(number);
  spot.append(create("small"));
  if (row.querySelector("[aria-invalid]")) spot.classList.add("spot-wrong");
  return spot;
}

// --- what is where ---

/** How far the floor shows the plan. */
function used() {
  const found = { columns: 0, rows: 0 };
  const places = [...grid.numbers.map(grid.cell), ...features.ids().map(features.get)].filter(Boolean);
  for (const { column, row, width = 1, height = 1 } of places) {
    found.columns = Math.max(found.columns, column + width - 1);
    found.rows = Math.max(found.rows, row + height - 1);
  }
  return found;
}

function show() {
  const active = document.activeElement; // in another list it has lost the focus
  const shown = used();
  if (chosen && !isTable(chosen) && !features.get(chosen)) chosen = null;
  showTables();
  showFeatures(shown);
  fit(shown);
  document.getElementById("tray-box").hidden = !tray.children.length;
  panel.show(chosen, chosen && title(chosen), chosen && where(chosen));
  for (const button of document.querySelectorAll(".plan-add[data-kind]")) button.disabled = features.isFull();
  const changed = isChanged();
  document.getElementById("unsaved").hidden = document.getElementById("plan-save").disabled = !changed;
  if (active.matches(".spot")) active.focus();
}

function showTables() {
  for (const [number, spot] of spots) {
    const place = grid.cell(number);
    const item = spot.parentElement;
    const list = place ? board : tray;
    if (item.parentElement !== list) list.append(item);
    item.style.gridArea = place ? `${place.row} / ${place.column}` : "";
    spot.dataset.shape = grid.shape(number).value;
    const seats = grid.seats(number);
    spot.lastChild.textContent = seats ? word("seats", { count: seats }) : "";
    spot.setAttribute("aria-label", sentence(number));
    spot.classList.toggle("is-chosen", number === chosen);
  }
}

function showFeatures(shown) {
  for (const id of features.ids()) {
    const feature = features.get(id);
    const row = form.querySelector(`[data-feature="${id}"]`);
    if (feature) showFeature(id, feature, feature.column > shown.columns || feature.row > shown.rows);
    else things.get(id)?.parentElement.remove();
    row.querySelector("[aria-invalid]") && things.get(id)?.classList.add("spot-wrong");
  }
  for (const [id, thing] of things) if (!features.field(id, "kind")) thing.parentElement.remove();
}

function showFeature(id, feature, isFar) {
  if (!things.has(id)) things.set(id, makeButton(id, ""));
  const thing = things.get(id);
  const item = thing.parentElement;
  if (!item.parentElement) board.prepend(item);
  item.className = `thing-place${feature.width ? "" : " thing-down"}${feature.height ? "" : " thing-across"}`;
  for (const name of ["column", "row", "width", "height"]) item.style.setProperty(`--${name}`, feature[name]);
  const kinds = [`feature-${feature.kind}`, features.isLine(feature.kind) && "feature-line", isFar && "feature-far"];
  const tall = feature.height > feature.width && "feature-tall";
  thing.className = ["thing feature", ...kinds, tall, id === chosen && "is-chosen"].filter(Boolean).join(" ");
  [thing.dataset.width, thing.dataset.height] = [feature.width, feature.height];
  thing.replaceChildren();
  if (feature.text) thing.append(create("span", { textContent: feature.text }));
  thing.setAttribute("aria-label", sentence(id));
  if (id === chosen && handle.parentElement !== item) item.append(handle);
}

/** As many cells as fill the width, and some more than are used. */
function fit(shown) {
  const frame = getComputedStyle(board.parentElement);
  const width = board.parentElement.clientWidth - parseFloat(frame.paddingLeft) - parseFloat(frame.paddingRight);
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const cell = rem * parseFloat(getComputedStyle(board).getPropertyValue("--least"));
  const room = { columns: Math.floor(width / cell), rows: 0 };
  size = {};
  for (const side of ["columns", "rows"]) {
    size[side] = Math.min(Math.max(shown[side] + free()[side], least()[side], room[side]), grid[side]);
    board.style.setProperty(`--${side}`, size[side]);
    board.style.setProperty(`--used-${side}`, shown[side] || 1);
  }
  board.style.setProperty("--cell", `${Math.max(cell, Math.floor(width / size.columns))}px`);
  board.classList.toggle("has-frame", shown.rows > 0);
}

function isChanged() {
  const fields = form.querySelectorAll("[data-table] :is(input, select), [data-feature] :is(input:not([type=hidden]), select)");
  const differs = (each) =>
    each.matches("select") ? !each.selectedOptions[0].defaultSelected : each.value !== each.defaultValue;
  return Boolean(document.getElementById("refusal")) || [...fields].some(differs);
}

function choose(key) {
  if (key === chosen) return;
  chosen = key;
  handle.remove();
  show();
}

function move(key, place) {
  if (isTable(key)) grid.put(key, place);
  else features.set(key, place);
  show();
  said.textContent = sentence(key);
}

function takeOff(key) {
  if (isTable(key)) {
    move(key, null);
    spots.get(key).focus();
    return;
  }
  const { kind } = features.get(key);
  said.textContent = word("removed", { name: title(key) });
  features.remove(key);
  choose(null);
  document.querySelector(`.plan-add[data-kind="${kind}"]`).focus();
}

/** A table that was stored just now, in the first free place, if possible within what the floor shows. */
function add(number, capacity) {
  grid.add(number, capacity);
  spots.set(number, makeSpot(number));
  const shown = used();
  const isFree = (place) => !grid.at(place) && features.isFree(place, [1, 1]);
  const isWithin = ({ column, row }) => column <= shown.columns && row <= shown.rows;
  const place = grid.first((each) => isWithin(each) && isFree(each)) ?? grid.first(isFree) ?? grid.firstFree();
  if (place) grid.put(number, place);
  chosen = number;
  handle.remove();
  show();
  spots.get(number).focus();
  spots.get(number).scrollIntoView({ block: "nearest", inline: "nearest" });
}

// --- by keys ---

function press(event) {
  const { key } = event.target.dataset;
  if (!key || event.altKey || event.ctrlKey || event.metaKey) return;
  const place = isTable(key) ? grid.cell(key) : features.get(key);
  if (event.key in ARROWS) {
    event.preventDefault();
    step(key, place, ARROWS[event.key], event.shiftKey);
  } else if (place && ["Delete", "Backspace"].includes(event.key)) {
    event.preventDefault();
    takeOff(key);
  } else if (event.key === "Escape") choose(null);
}

function step(key, place, [right, down], isLarger) {
  if (isTable(key)) {
    const to = place ? grid.next(place, [right, down]) : grid.firstFree();
    if (to) move(key, to);
    else said.textContent = word("full");
  } else if (isLarger) {
    features.resize(key, place, [right, down]);
    show();
    said.textContent = sentence(key);
  } else move(key, { column: place.column + right, row: place.row + down });
}

// --- by finger or mouse ---

let drag = null;

function cellAt(x, y) {
  const { left, top, width, height } = board.getBoundingClientRect();
  if (x < left || y < top || x >= left + width || y >= top + height) return null;
  return {
    column: 1 + Math.floor(((x - left) / width) * size.columns),
    row: 1 + Math.floor(((y - top) / height) * size.rows),
  };
}

function begin(event) {
  const target = event.target.closest(".spot, .thing, .thing-handle");
  if (!target || event.button) return;
  const { key = chosen } = target.dataset;
  drag = { key, target, x: event.clientX, y: event.clientY, from: isTable(key) ? null : features.get(key), moved: false };
  target.setPointerCapture(event.pointerId);
  choose(key);
}

function follow(event) {
  if (!drag) return;
  const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
  drag.moved ||= Math.hypot(x, y) > AS_A_CLICK;
  if (!drag.moved) return;
  if (drag.from) followFeature(x, y);
  else {
    drag.target.classList.add("is-dragged");
    drag.target.style.translate = `${x}px ${y}px`;
  }
}

/** A feature goes from cell to cell while it is dragged, or grows so. */
function followFeature(x, y) {
  const cell = board.getBoundingClientRect().width / size.columns;
  const [right, down] = [Math.round(x / cell), Math.round(y / cell)];
  const { key, from, target } = drag;
  if (target === handle) features.resize(key, from, [right, down]);
  else features.set(key, { column: from.column + right, row: from.row + down });
  show();
}

function end(event) {
  if (!drag) return;
  const { key, target, from, moved } = drag;
  drag = null;
  if (from) {
    if (event.type === "pointercancel") features.set(key, from);
    show();
    if (moved) said.textContent = sentence(key);
    return;
  }
  target.classList.remove("is-dragged");
  target.style.translate = "";
  if (moved && event.type === "pointerup") move(key, cellAt(event.clientX, event.clientY));
}

for (const place of [board, tray]) {
  place.addEventListener("keydown", press);
  place.addEventListener("focusin", (event) => choose(event.target.dataset.key));
  place.addEventListener("pointerdown", begin);
  place.addEventListener("pointermove", follow);
  for (const name of ["pointerup", "pointercancel"]) place.addEventListener(name, end);
}
board.addEventListener("click", (event) => {
  const place = chosen && !event.target.closest(".spot, .thing, .thing-handle") && cellAt(event.clientX, event.clientY);
  if (place) move(chosen, place);
});
document.getElementById("plan-remove").addEventListener("click", () => takeOff(chosen));
document.getElementById("plan-adds").addEventListener("click", (event) => {
  const kind = event.target.closest(".plan-add")?.dataset.kind;
  if (!kind) return;
  const id = features.add(kind, ["bar", "label"].includes(kind) ? features.kindName(kind) : "");
  choose(id);
  things.get(id).focus();
  said.textContent = sentence(id);
});
form.addEventListener("input", show);
form.addEventListener("reset", () => {
  if (!document.getElementById("refusal")) setTimeout(show); // the fields are reset after it
  else {
    sending = true; // what is left is what was refused: on to what is stored
    location.assign(`${form.action}?section=${encodeURIComponent(form.elements.section.value)}`);
  }
});
form.addEventListener("submit", () => (sending = true));
addEventListener("beforeunload", (event) => !sending && isChanged() && event.preventDefault());
addEventListener("resize", show);
addEventListener("pageshow", () => {
  sending = false;
  show();
});
document.getElementById("plan-room").hidden = false;
const numbers = document.getElementById("numbers");
numbers.open = Boolean(form.querySelector(".field-wrong")); // what is no number has no place on the board
numbers.hidden = !numbers.open;
show();

offerAdditions(add, word);
