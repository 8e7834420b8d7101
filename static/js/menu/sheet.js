// A dish's page as a sheet over the menu: it has an address of its own, and the back button closes it.
import { isBusy, readPage, setReady } from "../http.js";
import { toast } from "../toast.js";
import * as cart from "./cart.js";

const sheet = document.getElementById("sheet");
const menu = document.getElementById("menu");
const body = sheet.querySelector(".sheet-body");
let opened = 0; // counts, so that a late response finds out that it is not wanted any more

async function read(address) {
  const page = await readPage(address, { within: 10_000, cache: "default" });
  return page.getElementById("dish");
}

// `address`: of a dish's page.
async function open(address) {
  const number = (opened += 1);
  body.replaceChildren();
  sheet.classList.add("sheet-loading");
  if (!sheet.open) sheet.showModal();
  try {
    const [dish, { setUpDish }] = await Promise.all([read(address), import("./dish.js")]); // the menu does without it
    if (number !== opened) return;
    body.replaceChildren(dish);
    body.scrollTop = 0;
    if (dish.querySelector(".dish-beside")) followBeside();
    const form = dish.querySelector(".dish-form");
    setUpDish(form);
    form.addEventListener("submit", (event) => send(event, form));
    dish.querySelector(".dish-name").focus({ preventScroll: true });
  } catch {
    if (number !== opened) return;
    toast(sheet.dataset.failed);
    leave();
  }
  sheet.classList.remove("sheet-loading");
}

// Few dishes need it. The menu beneath shows what was added too.
let following = null;
const followBeside = () => (following ??= import("./goes_with.js").then(({ addBeside }) => addBeside(() => cart.send("GET"))));

function close() {
  opened += 1;
  if (sheet.open) sheet.close();
  body.replaceChildren();
}

// Closing is going back, so that the next "back" does not open it again.
function leave() {
  if (history.state?.dish) history.back();
  else close();
}

async function send(event, form) {
  if (event.defaultPrevented) return; // too little is chosen
  event.preventDefault();
  const button = form.querySelector(".dish-add");
  if (isBusy(button)) return;
  const refusal = form.querySelector(".dish-refusal");
  refusal.hidden = true;
  const entry = {
    menuItemId: form.elements.menuItemId.value,
    quantity: Number(form.elements.quantity.value),
    specialInstructions: form.elements.specialInstructions.value.trim(),
    options: [...form.querySelectorAll(".group input:checked")].map((box) => box.value),
  };
  try {
    await cart.send("POST", entry);
    leave();
    return;
  } catch (error) {
    refusal.textContent = error instanceof cart.Refused ? error.message : form.dataset.failed;
  }
  refusal.hidden = false;
  refusal.scrollIntoView({ block: "center" });
  setReady(button);
}

// From the menu, and from a dish to one that goes well with it.
function follow(event) {
  const link = event.target.closest("li a[href]");
  if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  history.pushState({ dish: true }, "", link.href);
  open(link.href);
}

for (const each of sheet.showModal ? [menu, body] : []) each.addEventListener("click", follow);
addEventListener("popstate", () => (history.state?.dish ? open(location.href) : close()));
sheet.addEventListener("cancel", (event) => {
  event.preventDefault();
  leave();
});
sheet.addEventListener("click", (event) => {
  if (event.target === sheet || event.target.closest(".sheet-close")) leave();
});
// After a reload the address is a page of its own; forward and back between the two load them.
