/* What is in the header besides the connection: the size of text, the pause, printers that are late. And what the
   display's panels and requests share. */
import { create } from "../dom.js";
import * as http from "../http.js";
import { recall, remember } from "../storage.js";
import { say } from "../words.js";
import * as connection from "./connection.js";
import { age, byId, hourAndMinute, moment, setData, setHidden, setText, t } from "./text.js";

const options = document.body.dataset;

// --- requests ---

const TIMEOUT = 6000; // milliseconds

/** From the cookie, because signing in in another tab renews the token. */
function csrfToken() {
  const cookie = document.cookie.match(/(?:^|; )csrftoken=([^;]+)/);
  return cookie ? cookie[1] : document.querySelector("input[name=csrfmiddlewaretoken]").value;
}

/** `body`: an object to be sent as JSON, or URLSearchParams. Returns {result, error}: one of them is empty. */
export async function post(path, body) {
  try {
    const response = await http.post(path, body, { headers: { "X-CSRFToken": csrfToken() }, within: TIMEOUT });
    const result = await response.json();
    if (response.ok) return { result, error: "" };
    return { result: null, error: result.error ? t("error-refused", { error: result.error }) : t("error-unknown") };
  } catch {
    return { result: null, error: t("error-no-response") };
  }
}

// --- taps ---

const DOUBLE_TAP = 300; // milliseconds
const DOUBLE_TAP_DISTANCE = 40; // pixels

let lastTap = { at: -Infinity, x: 0, y: 0 };

/** A tap right after another one at the same place. */
export function isDoubleTap({ clientX: x, clientY: y }) {
  const before = lastTap;
  lastTap = { at: performance.now(), x, y };
  const isNear = Math.hypot(x - before.x, y - before.y) < DOUBLE_TAP_DISTANCE;
  return isNear && lastTap.at - before.at < DOUBLE_TAP;
}

// --- panels ---

const CLOSE_AFTER = 60_000; // milliseconds without a touch: they cover the tickets
const timers = new WeakMap();

function closeSoon(dialog) {
  clearTimeout(timers.get(dialog));
  timers.set(dialog, setTimeout(() => dialog.close(), CLOSE_AFTER));
}

export function open(dialog) {
  showError(dialog, "");
  dialog.showModal();
  closeSoon(dialog);
}

export function showError(dialog, error) {
  const place = dialog.querySelector(".notice");
  if (!place) return;
  say(place, error);
}

for (const dialog of document.querySelectorAll("dialog")) {
  for (const kind of ["pointerdown", "keydown", "scroll"]) dialog.addEventListener(kind, () => closeSoon(dialog), true);
  dialog.addEventListener("click", ({ target }) => {
    if (target === dialog || target.closest("[data-close]")) dialog.close(); // its backdrop, or its button
  });
}

// --- the size of text, kept on this device ---

const TEXT = "kitchen-text";
const STEPS = ["1", "2", "3"];

function showText(step) {
  setData(document.body, "text", step);
  setText(byId("text-text"), t("text-size", { step }));
  dispatchEvent(new Event("resize"));
}

// --- the pause ---

let state = {}; // the last response to GET /kitchen

function showPause(time) {
  const isWhole = Date.parse(state.pausedUntil ?? "") > time; // else of this station
  const until = Date.parse((isWhole ? state.pausedUntil : state.stationPausedUntil) ?? "");
  const isPaused = until > time;
  const opens = Date.parse(state.closedUntil ?? "");
  const isClosed = !isPaused && opens > time;
  setHidden(byId("pause-banner"), !isPaused && !isClosed);
  setData(byId("pause-banner"), "kind", isPaused ? "paused" : "closed");
  setHidden(byId("pause-resume"), !isPaused);
  setHidden(byId("pause-end"), !isPaused);
  setHidden(byId("pause-left"), !isPaused);
  if (isPaused) {
    setText(byId("pause-headline"), t(isWhole ? "paused" : "paused-station", { time: moment(until, time) }));
    setText(byId("pause-left"), t("paused-left", { left: age(until - time) }));
  } else if (isClosed) {
    setText(byId("pause-headline"), t("closed", { time: moment(opens, time) }));
  }
}

async function pause(button) {
  if (http.isBusy(button)) return;
  const minutes = Number(button.dataset.minutes ?? 0);
  const isOfStation = options.pauseStation && (minutes || !state.pausedUntil);
  const { result, error } = await post(isOfStation ? options.pauseStation : options.pause, { minutes });
  http.setReady(button);
  showError(byId("pause"), error);
  if (error) {
    if (!byId("pause").open) open(byId("pause"));
    showError(byId("pause"), error);
    return;
  }
  state = { ...state, [isOfStation ? "stationPausedUntil" : "pausedUntil"]: result.until ?? undefined };
  byId("pause").close();
  showPause(connection.serverTime());
}

// --- printers that are late ---

function showDockets(late) {
  const lines = late.map(({ printer, count, since }) => {
    const time = hourAndMinute(Date.parse(since));
    return t(count === 1 ? "dockets-one" : "dockets-many", { printer, count, time });
  });
  const banner = byId("docket-banner");
  if (banner.textContent !== lines.join("")) {
    banner.replaceChildren(...lines.map((textContent) => create("p", { textContent })));
  }
  setHidden(banner, !lines.length);
}

// --- orders of more than a day ago ---

function showEarlier(count) {
  const grouped = count.toLocaleString(document.documentElement.dataset.formats);
  setText(byId("earlier-text"), count === 1 ? t("earlier-one") : t("earlier-many", { count: grouped }));
  setHidden(byId("earlier-banner"), !count);
}

// --- start ---

export function start() {
  const kept = recall(TEXT);
  showText(STEPS.includes(kept) ? kept : STEPS[0]);
  byId("text-button").addEventListener("click", () => {
    const next = STEPS[(STEPS.indexOf(options.text) + 1) % STEPS.length];
    remember(TEXT, next);
    showText(next);
  });
  byId("pause-button").addEventListener("click", () => open(byId("pause")));
  byId("pause-resume").addEventListener("click", ({ currentTarget }) => pause(currentTarget));
  for (const button of byId("pause").querySelectorAll("[data-minutes]")) {
    button.addEventListener("click", () => pause(button));
  }
  // On a phone they are one row, which scrolls.
  document.querySelector(".stations [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
}

export function showState(body) {
  state = body;
  showPause(connection.serverTime());
  showDockets(body.lateDockets ?? []);
  showEarlier(body.earlier ?? 0);
}

export { showPause as tick };
