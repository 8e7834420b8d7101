/* The sound for calls and held orders, and its switch. */
(() => {
  "use strict";

  const MUTED = "floor-muted";
  const TONES = {
    call: [880, 1174.7, 880],
    held: [587.3, 784],
  };
  const STEP = 0.18; // seconds between two tones
  const LENGTH = 0.5; // seconds of a tone
  const LOUDNESS = 0.4;
  const button = document.getElementById("sound-button");
  const words = document.getElementById("floor-words").content;
  const Context = window.AudioContext || window.webkitAudioContext;
  if (!button || !Context) {
    window.floorSound = { ring() {} };
    return;
  }

  const context = new Context();
  let muted = read() === "yes";

  // localStorage may be full or disabled.
  function read() {
    try {
      return localStorage.getItem(MUTED);
    } catch {
      return null;
    }
  }

  function save() {
    try {
      localStorage.setItem(MUTED, muted ? "yes" : "no");
    } catch {
      // Lost with the page.
    }
  }

  /** "on", "off" (by the switch), or "blocked" (by the browser, until the page is touched). */
  function state() {
    if (muted) return "off";
    return context.state === "running" ? "on" : "blocked";
  }

  function show() {
    button.hidden = false;
    button.dataset.sound = state();
    button.setAttribute("aria-pressed", String(state() === "on"));
    document.getElementById("sound-text").textContent = words.querySelector(`[data-key="sound-${state()}"]`).textContent;
  }

  /** `kind`: "call" or "held". A phone in a pocket vibrates too. */
  function ring(kind) {
    if (state() !== "on") return;
    TONES[kind].forEach((hertz, number) => {
      window.tone.play(context, { hertz, at: number * STEP, length: LENGTH, loudness: LOUDNESS });
    });
    if (navigator.vibrate) navigator.vibrate([200, 100, 200]);
  }

  async function unblock() {
    if (context.state !== "running") await context.resume().catch(() => {});
    show();
  }

  button.addEventListener("click", async () => {
    if (state() !== "blocked") {
      muted = !muted;
      save();
    }
    await unblock();
    ring("call");
  });
  // Browsers allow sound after any touch of the page.
  addEventListener("pointerup", (event) => event.target.closest?.("#sound-button") || unblock());
  document.addEventListener("visibilitychange", () => document.hidden || unblock());
  context.addEventListener("statechange", show);
  show();

  window.floorSound = { ring };
})();
