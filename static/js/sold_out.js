// Asks what has sold out, every few seconds. Phones of a full house are spread over them.
import { request } from "./http.js";
import { keepReading } from "./polling.js";

const EVERY = 8000; // milliseconds

/** `show` gets a set of ids. */
export function watchSoldOut(address, show) {
  async function read() {
    try {
      const response = await request(address, { within: EVERY });
      if (response.ok) show(new Set((await response.json()).soldOut));
    } catch {
      // offline: the server checks every order anyway
    }
  }

  keepReading(read, EVERY, performance.now() - Math.random() * EVERY);
}
