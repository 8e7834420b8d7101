/* What is in the room besides tables: read from the fields of the form, and written to them. See RoomFeature. */
import { within } from "../dom.js";
import * as grid from "./grid.js";

const form = document.getElementById("plan");
const list = document.getElementById("plan-features");
const LINES = form.dataset.lines.split(" ");
const NUMBERS = ["column", "row", "width", "height"];
const SIZES = { bar: [2, 1], door: [1, 0], wall: [2, 0], window: [2, 0], plant: [1, 1], label: [1, 1] };
export const field = (id, name) => form.elements[`${name}-${id}`];
export const ids = () => [...list.children].map((each) => each.dataset.feature);
export const isLine = (kind) => LINES.includes(kind);

/** Null for one that was taken off, or with numbers that are none. */
export function get(id) {
  const found = { kind: field(id, "kind").value, text: field(id, "text").value.trim() };
  for (const name of NUMBERS) {
    const text = field(id, name).value.trim();
    if (!/^[0-9]{1,2}$/.test(text)) return null;
    found[name] = Number(text);
  }
  return found.kind && found.column && found.row && found.width + found.height ? found : null;
}

/** As near as the plan allows. A line stays one. */
export function set(id, values) {
  const wanted = { ...get(id), ...values };
  if (!isLine(wanted.kind) || wanted.width) wanted.width = within(wanted.width, 1, grid.columns);
  if (!isLine(wanted.kind) || wanted.height) wanted.height = within(wanted.height, 1, grid.rows);
  wanted.column = within(wanted.column, 1, grid.columns + 1 - wanted.width);
  wanted.row = within(wanted.row, 1, grid.rows + 1 - wanted.height);
  for (const [name, value] of Object.entries(wanted)) field(id, name).value = value;
}

/** By what is added to its width and its height. Of a line only one of them counts. */
export function resize(id, from, [right, down]) {
  const across = from.width ? from.width + right : 0;
  const along = from.height ? from.height + down : 0;
  set(id, {
    width: from.width ? within(across, 1, grid.columns + 1 - from.column) : 0,
    height: from.height ? within(along, 1, grid.rows + 1 - from.row) : 0,
  });
}

/** Width and height change places. */
export function turn(id) {
  const { width, height } = get(id);
  set(id, { width: height, height: width });
}

export function remove(id) {
  for (const each of form.querySelectorAll(`[data-feature="${id}"] :is(input, select)`)) {
    if (each.type !== "hidden") each.value = each.defaultValue ?? "";
  }
  field(id, "kind").value = "";
}

/** Whether something of this size there lies over nothing else; two lines may cross, and not begin together. */
export function isFree(place, [width, height]) {
  return ids().map(get).filter(Boolean).every((other) => {
    if (!width || !height) return other.column !== place.column || other.row !== place.row || !isLine(other.kind) || !other.width !== !width;
    const isBeside = place.column >= other.column + other.width || place.column + width <= other.column;
    return isBeside || place.row >= other.row + other.height || place.row + height <= other.row;
  });
}

function hasNoTable(place, [width, height]) {
  return grid.numbers.map(grid.cell).filter(Boolean).every(({ column, row }) =>
    column < place.column || column >= place.column + width || row < place.row || row >= place.row + height);
}

export const isFull = () => ids().map(get).filter(Boolean).length >= Number(form.dataset.most);

/** In the first place that is free. Returns its id. */
export function add(kind, text) {
  const size = SIZES[kind];
  const blank = list.lastElementChild;
  const id = newId();
  blank.insertAdjacentHTML("beforebegin", blank.outerHTML.replaceAll(blank.dataset.feature, id));
  const place = grid.first((each) => isFree(each, size) && hasNoTable(each, size)) ?? { column: 1, row: 1 };
  field(id, "kind").value = kind;
  field(id, "text").value = text;
  for (const name of NUMBERS) field(id, name).value = 1;
  set(id, { kind, ...place, width: size[0], height: size[1] });
  return id;
}

/** A UUID. `crypto.randomUUID` needs HTTPS, which a trial does not have. */
function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 15) | 64;
  bytes[8] = (bytes[8] & 63) | 128;
  const text = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return text.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

export const kindName = (kind) => list.querySelector(`option[value="${kind}"]`).textContent;
export const name = ({ kind, text }) => (text && text !== kindName(kind) ? `${kindName(kind)} “${text}”` : kindName(kind));
