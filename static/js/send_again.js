// What may be sent twice, over a bad network.
import { request } from "./http.js";

const TRIES = 4;
const LONGEST = 15; // seconds between two of them

const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** Sends what may be sent twice: it has a key, or a repeat changes nothing. Whoever has no room says in Retry-After when to
    come back; a lost connection says nothing. Returns the response, or null where there was none but errors of the server.
    `onWait` is called before each pause. */
export async function sendAgain(address, options, onWait = () => {}) {
  for (let tried = 1; ; tried += 1) {
    let after = tried;
    try {
      const response = await request(address, { method: "POST", ...options });
      if (response.status < 500) return response;
      after = Number(response.headers.get("Retry-After")) || tried;
    } catch {
      // it may have arrived all the same
    }
    if (tried === TRIES) return null;
    onWait();
    await pause(Math.min(after, LONGEST));
  }
}
