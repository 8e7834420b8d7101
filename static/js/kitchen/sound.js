// The chimes for a new and a cancelled order. The screen stays on.
import { keepAwake } from "../awake.js";
import { soundSwitch } from "../sound.js";

const RISING = [
  { hertz: 880, at: 0 },
  { hertz: 1318.5, at: 0.22 },
];
const FALLING = [
  { hertz: 659.3, at: 0 },
  { hertz: 440, at: 0.25 },
  { hertz: 293.7, at: 0.5 },
];
const LATER = 0.9; // seconds: the second of two chimes
const LENGTH = 0.9; // seconds of a tone
const LOUDNESS = 0.5;
const PAUSE = 2500; // milliseconds between two chimes

let onChange = () => {};
const sound = soundSwitch("kitchen-muted", document.getElementById("sound-button"), () => onChange());

export const state = () => sound?.state() ?? "off";

function ring(chimes) {
  sound?.ring(
    chimes.flatMap((tones, place) =>
      tones.map(({ hertz, at }) => ({ hertz, at: at + place * LATER, length: LENGTH, loudness: LOUDNESS })),
    ),
  );
}

let rangAt = -Infinity;
let timer = 0;
let due = new Set();

/** Ring once for each kind; calls until the next chimes are due share them. */
function chimeFor(tones) {
  due.add(tones);
  timer ||= setTimeout(() => {
    timer = 0;
    rangAt = performance.now();
    ring([...due]);
    due = new Set();
  }, Math.max(0, rangAt + PAUSE - performance.now()));
}

export const chime = () => chimeFor(RISING);
export const chimeCancelled = () => chimeFor(FALLING);

/** Rings once if the sound is on then. */
export async function press() {
  await sound?.press();
  ring([RISING]);
}

export function start(handler) {
  onChange = handler;
  keepAwake();
  onChange();
}
