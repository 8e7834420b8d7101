// Chimes, and their switch, which this device remembers. Browsers block sound until the page is touched.
import { recall, remember } from "./storage.js";

const Context = window.AudioContext ?? window.webkitAudioContext;

/** `at` and `length`: seconds, from now on. `loudness`: up to 1. */
function play(context, { hertz, at, length, loudness }) {
  const start = context.currentTime + at;
  const volume = context.createGain();
  volume.gain.setValueAtTime(0.0001, start);
  volume.gain.exponentialRampToValueAtTime(loudness, start + 0.015);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + length);
  volume.connect(context.destination);
  // Unlike a sine, a triangle wave has overtones that are heard over an extractor fan.
  const oscillator = context.createOscillator();
  oscillator.type = "triangle";
  oscillator.frequency.value = hertz;
  oscillator.connect(volume);
  oscillator.start(start);
  oscillator.stop(start + length);
}

/** `key`: under which it is remembered. `changed` is called when `state()` has. Null where the browser has no sound. */
export function soundSwitch(key, button, changed) {
  if (!button || !Context) return null;
  const context = new Context();
  let muted = recall(key) === "yes";

  /** "on", "off" (by the switch), or "blocked" (by the browser, until the page is touched). */
  function state() {
    if (muted) return "off";
    return context.state === "running" ? "on" : "blocked";
  }

  /** Returns whether it is heard. */
  function ring(tones) {
    if (state() !== "on") return false;
    for (const tone of tones) play(context, tone);
    return true;
  }

  async function unblock() {
    if (context.state !== "running") await context.resume().catch(() => {});
    changed();
  }

  /** Lift the browser's block if there is one, else switch on or off. */
  async function press() {
    if (state() !== "blocked") {
      muted = !muted;
      remember(key, muted ? "yes" : "no");
    }
    await unblock();
  }

  // After any touch of the page. The switch unblocks by itself.
  for (const kind of ["pointerup", "keyup"]) {
    addEventListener(kind, ({ target }) => target instanceof Node && button.contains(target) || unblock());
  }
  document.addEventListener("visibilitychange", () => document.hidden || unblock());
  context.addEventListener("statechange", changed);
  return { state, ring, press };
}
