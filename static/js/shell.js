// What needs attention, in the header of a page that stays open. Whoever reads the list keeps it open.
import { readPage } from "./http.js";
import { keepReading } from "./polling.js";
import { putParts } from "./page.js";

/** `page`: a document with the header of the same person. */
export const updateShell = (page) => putParts(page, ["#attention"]);

/** On a page that is not read anew: from /attention. */
export function watchAttention(every) {
  async function read() {
    try {
      updateShell(await readPage("/attention", { within: 5000, redirect: "error" })); // signed out, it leads elsewhere
    } catch {
      // the page says itself when it is not connected
    }
  }

  keepReading(read, every);
}
