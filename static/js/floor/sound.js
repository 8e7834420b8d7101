// The sound for calls, held orders and what a station is done with, and its switch.
import { soundSwitch } from "../sound.js";
import { write } from "../words.js";
import { word } from "./words.js";

const TONES = {
  call: [880, 1174.7, 880],
  held: [587.3, 784],
  ready: [1046.5, 1318.5],
};
const STEP = 0.18; // seconds between two tones
const LENGTH = 0.5; // seconds of a tone
const LOUDNESS = 0.4;

const button = document.getElementById("sound-button");
const sound = soundSwitch("floor-muted", button, show);

function show() {
  const state = sound.state();
  button.hidden = false;
  button.dataset.sound = state;
  button.setAttribute("aria-pressed", String(state === "on"));
  write(document.getElementById("sound-text"), word(`sound-${state}`));
}

/** `kind`: of `TONES`. A phone in a pocket vibrates too. */
export function ring(kind) {
  const tones = TONES[kind].map((hertz, number) => ({ hertz, at: number * STEP, length: LENGTH, loudness: LOUDNESS }));
  if (sound?.ring(tones)) navigator.vibrate?.([200, 100, 200]);
}

if (sound) {
  button.addEventListener("click", async () => {
    await sound.press();
    ring("call");
  });
  show();
}
