// The sentences of the floor's pages.
import { sentences } from "../sentences.js";

export const word = sentences(document.getElementById("floor-words"));
