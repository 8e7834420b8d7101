// What a page asks for again and again, because it may have changed elsewhere.

const TICK = 500; // milliseconds

const now = () => performance.now();

/** Calls `then` when the page is seen again, comes back from the browser's cache, or the network is back. */
export function whenBack(then) {
  document.addEventListener("visibilitychange", () => document.hidden || then());
  addEventListener("pageshow", (event) => event.persisted && then());
  addEventListener("online", then);
}

/** Calls `read` every so many milliseconds while the page is seen, and when it is back. `every` may be a function.
    `since`: when it was read last. */
export function keepReading(read, every, since = now()) {
  const pause = typeof every === "function" ? every : () => every;
  const readNow = () => {
    since = now();
    read();
  };
  setInterval(() => !document.hidden && now() - since >= pause() && readNow(), TICK);
  whenBack(readNow);
}
