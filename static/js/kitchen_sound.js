/* The chimes for a new and a cancelled order, and the wake lock that keeps the screen on. */
(() => {
  "use strict";

  const MUTED = "kitchen-muted";
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

  /** localStorage, which may be full or disabled. */
  const storage = {
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
        // Lost with the page.
      }
    },
  };

  const Context = window.AudioContext || window.webkitAudioContext;
  const context = Context ? new Context() : null;
  let muted = storage.get(MUTED) === "yes";
  let onChange = () => {};

  /** "on", "off" (by the button), or "blocked" (by the browser, until the page is touched). */
  function state() {
    if (muted || !context) return "off";
    return context.state === "running" ? "on" : "blocked";
  }

  function ring(chimes) {
    if (state() !== "on") return;
    chimes.forEach((tones, place) => {
      for (const { hertz, at } of tones) {
        window.tone.play(context, { hertz, at: at + place * LATER, length: LENGTH, loudness: LOUDNESS });
      }
    });
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

  function unblock() {
    if (context && context.state !== "running") return context.resume().catch(() => {});
    return Promise.resolve();
  }

  /** Lift the browser's block if there is one, else switch on or off. Rings once if the sound is on. */
  async function press() {
    const wasBlocked = state() === "blocked";
    if (!wasBlocked) {
      muted = !muted;
      storage.set(MUTED, muted ? "yes" : "no");
    }
    await unblock();
    onChange();
    ring([RISING]);
  }

  let wakeLock = null;

  async function keepAwake() {
    if (!navigator.wakeLock || document.visibilityState !== "visible") return;
    if (wakeLock && !wakeLock.released) return;
    try {
      wakeLock = await navigator.wakeLock.request("screen");
    } catch {
      wakeLock = null; // refused, for example on an empty battery
    }
  }

  function start(handler) {
    onChange = handler;
    if (context) context.addEventListener("statechange", () => onChange());
    // Browsers allow sound after any touch. The button has its own handler.
    const touched = (event) => {
      if (!event.target.closest || !event.target.closest("#sound-button")) unblock();
      keepAwake();
    };
    addEventListener("pointerup", touched);
    addEventListener("keyup", touched);
    document.addEventListener("visibilitychange", () => {
      keepAwake();
      if (document.visibilityState === "visible") unblock();
    });
    keepAwake();
    onChange();
  }

  window.kitchenStorage = storage;
  window.kitchenSound = {
    start,
    state,
    press,
    chime: () => chimeFor(RISING),
    chimeCancelled: () => chimeFor(FALLING),
  };
})();
