/* Tells the server which tickets this display has drawn: each once, again when a course of it is fired, and again where
   telling has failed. */
import * as tools from "./tools.js";
import * as ticket from "./ticket.js";

const { seen, station } = document.body.dataset;
const MOST = 500; // in one request
const COOKING = ["pending", "preparing"];

const told = new Map(); // by order id: what of it waited then
let untold = new Map();
let frame = 0;
let isSending = false;

/** To be called whenever the board shows these records. */
export function drawn(records) {
  const cooking = records.filter(({ status }) => COOKING.includes(status));
  const shown = new Map(cooking.map(({ order }) => [order.orderId, order.items.map(ticket.waits).join()]));
  for (const id of told.keys()) if (!shown.has(id)) told.delete(id);
  untold = new Map([...shown].filter(([id, waiting]) => told.get(id) !== waiting).slice(0, MOST));
  // A screen that is dark or behind another page has no frames.
  if (untold.size) frame ||= requestAnimationFrame(() => setTimeout(tell));
}

async function tell() {
  frame = 0;
  if (isSending) return; // what is left is told when the board is shown again
  isSending = true;
  const batch = untold;
  const { error } = await tools.post(seen, { orderIds: [...batch.keys()], station });
  isSending = false;
  if (!error) for (const [id, waiting] of batch) told.set(id, waiting);
}
