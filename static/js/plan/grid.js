/* Where the tables stand: read from the fields of the form, and written to them. Cells have a column and a row from 1 on. */
import { within } from "../dom.js";

const form = document.getElementById("plan");
export const columns = Number(form.dataset.columns);
export const rows = Number(form.dataset.rows);
const list = document.getElementById("plan-tables");
export const numbers = [...list.querySelectorAll("[data-table]")].map((each) => each.dataset.table);
const fields = (number) => [form.elements[`column-${number}`], form.elements[`row-${number}`]];

const isIn = ({ column, row }) => column >= 1 && column <= columns && row >= 1 && row <= rows;

/** The table's cell; null for one without a place, or with numbers that are none. */
export function cell(number) {
  const [column, row] = fields(number).map(({ value }) => (/^[0-9]{1,2}$/.test(value.trim()) ? Number(value) : 0));
  return isIn({ column, row }) ? { column, row } : null;
}

export const at = ({ column, row }) =>
  numbers.find((number) => {
    const found = cell(number);
    return found && found.column === column && found.row === row;
  });

function write(number, place) {
  const [column, row] = fields(number);
  [column.value, row.value] = place ? [place.column, place.row] : ["", ""];
}

/** Who stands there takes the place that the table had. */
export function put(number, place) {
  const other = place && at(place);
  if (other && other !== number) write(other, cell(number));
  write(number, place);
}

/** The next free cell in this direction, over tables in between; null where there is none. */
export function next(from, [right, down]) {
  let place = from;
  do place = { column: place.column + right, row: place.row + down };
  while (isIn(place) && at(place));
  return isIn(place) ? place : null;
}

/** The first cell, by rows, of which this is true; null where there is none. */
export function first(isWanted) {
  for (let row = 1; row <= rows; row += 1) {
    for (let column = 1; column <= columns; column += 1) {
      if (isWanted({ column, row })) return { column, row };
    }
  }
  return null;
}

export const firstFree = () => first((place) => !at(place));
export const shape = (number) => form.elements[`shape-${number}`];

/** How many, between 1 and 1000; null for a table whose seats nobody has counted. Written if `count` is given. */
export function seats(number, count) {
  const field = form.elements[`seats-${number}`];
  if (count !== undefined) field.value = within(count, 1, 1000);
  const text = field.value.trim();
  return /^[0-9]{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= 1000 ? Number(text) : null;
}

/** A table that is stored now, without a place: its fields, and what was seen of it. */
export function add(number, capacity) {
  const html = document.getElementById("new-row").innerHTML.replaceAll("NEW", number);
  const before = [...list.children].find((each) => Number(each.dataset.table) > Number(number));
  if (before) before.insertAdjacentHTML("beforebegin", html);
  else list.insertAdjacentHTML("beforeend", html);
  const suggested = (capacity ?? 4) <= 2 ? "round" : (capacity ?? 4) >= 6 ? "long" : "square"; // as Table.shape
  for (const option of shape(number).options) option.defaultSelected = option.value === suggested;
  shape(number).value = suggested;
  form.elements[`seats-${number}`].value = form.elements[`seats-${number}`].defaultValue = capacity ?? "";
  form.elements.seen.value += ` ${number}@,,${suggested},${capacity ?? ""}`;
  numbers.push(number);
}
