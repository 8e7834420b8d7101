/* What keeps the cooks' attention: the chime for a new order, and a screen that does not go dark. */
(() => {
  "use strict";

  const MUTED = "kitchen-muted";
  const TONES = [
    { hertz: 880, at: 0 },
    { hertz: 1318.5, at: 0.22 },
  ];
  const LENGTH = 0.9; // seconds a tone rings
  const PAUSE = 2500; // milliseconds from one chime to the next

  /** localStorage, which may be full or forbidden. */
  const memory = {
    get(key) {
      try {
        return localStorage.getItem(key);
      } catch {
        return null;
      }
    },
    set(key, value) {
      try {
        localStorage.setItem(key, value);
      } catch {
        // Then it is forgotten with the page.
      }
    },
  };

  const Context = window.AudioContext || window.webkitAudioContext;
  const context = Context ? new Context() : null;
  let muted = memory.get(MUTED) === "yes";
  let changed = () => {};

  /** "on", "off" (by somebody here), or "blocked" (by the browser, until somebody touches the page). */
  function state() {
    if (muted || !context) return "off";
    return context.state === "running" ? "on" : "blocked";
  }

  function tone({ hertz, at }) {
    const start = context.currentTime + at;
    const volume = context.createGain();
    volume.gain.setValueAtTime(0.0001, start);
    volume.gain.exponentialRampToValueAtTime(0.5, start + 0.015);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + LENGTH);
    volume.connect(context.destination);
    // A triangle has the overtones that carry over an extractor fan, a sine has not.
    const voice = context.createOscillator();
    voice.type = "triangle";
    voice.frequency.value = hertz;
    voice.connect(volume);
    voice.start(start);
    voice.stop(start + LENGTH);
  }

  function ring() {
    if (state() === "on") TONES.forEach(tone);
  }

  let rangAt = -Infinity;
  let ringing = 0;

  /** For one order or thirty: what comes while one still rings is rung for once, after it. */
  function chime() {
    ringing ||= setTimeout(() => {
      ringing = 0;
      rangAt = performance.now();
      ring();
    }, Math.max(0, rangAt + PAUSE - performance.now()));
  }

  function unblock() {
    if (context && context.state !== "running") return context.resume().catch(() => {});
    return Promise.resolve();
  }

  /** The button: lifts the browser's block if there is one, else switches. Rings once, to be heard. */
  async function press() {
    const wasBlocked = state() === "blocked";
    if (!wasBlocked) {
      muted = !muted;
      memory.set(MUTED, muted ? "yes" : "no");
    }
    await unblock();
    changed();
    ring();
  }

  let wakeLock = null;

  async function stayAwake() {
    if (!navigator.wakeLock || document.visibilityState !== "visible") return;
    if (wakeLock && !wakeLock.released) return;
    try {
      wakeLock = await navigator.wakeLock.request("screen");
    } catch {
      wakeLock = null; // refused, for example on an empty battery
    }
  }

  function start(onChange) {
    changed = onChange;
    if (context) context.addEventListener("statechange", () => changed());
    // Any touch will do for the browser. The button has its own handler.
    const touched = (event) => {
      if (!event.target.closest || !event.target.closest("#sound-button")) unblock();
      stayAwake();
    };
    addEventListener("pointerup", touched);
    addEventListener("keyup", touched);
    document.addEventListener("visibilitychange", () => {
      stayAwake();
      if (document.visibilityState === "visible") unblock();
    });
    stayAwake();
    changed();
  }

  window.kitchenMemory = memory;
  window.kitchenSound = { start, state, press, chime };
})();
