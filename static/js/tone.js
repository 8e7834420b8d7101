/* One tone of a chime. */
(() => {
  "use strict";

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

  window.tone = { play };
})();
