// A dish on a page of its own.
import { setUpDish } from "./dish.js";
import { addBeside } from "./goes_with.js";

const form = document.querySelector("main .dish-form");
setUpDish(form);
addBeside();
// The browser may fill in what was chosen before, after this script.
addEventListener("pageshow", () => form.showAll?.());
