/* The last steps of orders, each of which can be taken back for a few seconds: by the bar's button, or Ctrl and Z. */
import { showUndo } from "./board.js";
import { byId } from "./text.js";
import { isDoubleTap } from "./tools.js";

// Milliseconds.
const UNDO_FOR = 8000;
const UNDO_FIRST_FOR = 3000;
const bar = byId("undo-bar");

const now = () => performance.now();

let steps = []; // {record, from, to, until} or {record, isFirst, until}, newest last

/** Before `record` is moved `to` another status. */
export function add(record, to) {
  steps = steps.filter((each) => each.record !== record);
  steps.push({ record, from: record.status, to, until: now() + UNDO_FOR });
}

/** After `record` is put first, or back among the others. */
export function addFirst(record) {
  steps = steps.filter((each) => each.record !== record);
  steps.push({ record, isFirst: Boolean(record.order.prioritised), until: now() + UNDO_FIRST_FOR });
}

const holds = ({ record, isFirst, to }) =>
  isFirst === undefined ? record.status === to : Boolean(record.order.prioritised) === isFirst;

/** The last one that holds now. A message of the server that comes late shows an earlier status for a moment. */

const latest = () => steps.findLast(holds);

/** While the bar has the keyboard, it stays. */
export function show() {
  const inUse = bar.contains(document.activeElement) && document.activeElement.matches(":focus-visible");
  if (!inUse) steps = steps.filter((each) => each.until > now());
  const last = latest();
  showUndo(last ? { table: last.record.order.tableNumber, status: last.from, isFirst: last.isFirst } : null);
}

/** `back` moves a step's record back to where it came from. */
export function start(back) {
  byId("undo-button").addEventListener("click", (event) => {
    if (isDoubleTap(event)) return;
    const last = latest();
    if (!last) return;
    steps = steps.filter((each) => each !== last);
    back(last);
  });
  byId("undo-dismiss").addEventListener("click", () => {
    steps = [];
    show();
  });
  addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key === "z" && !bar.hidden) byId("undo-button").click();
  });
}

export const records = () => new Set(steps.map((each) => each.record));
