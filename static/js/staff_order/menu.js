// Which dishes of the menu staff see while they take an order: one category, what the table has had, or what is searched.
import { markCurrent } from "../dom.js";
import { plain, searched } from "../words.js";

const form = document.getElementById("order");
const box = document.getElementById("search");
const field = document.getElementById("search-field");
const found = document.getElementById("found");
const list = document.getElementById("dishes");
const rail = document.getElementById("jumps"); // null with a single category
const had = document.getElementById("had"); // null where nothing was had

const categories = [...form.querySelectorAll(".category")].map((element) => ({
  element,
  tab: rail?.querySelector(`[href="#${element.querySelector("h2").id}"]`),
  dishes: [...element.querySelectorAll(".dish")].map((dish) => ({
    element: dish,
    text: plain(dish.querySelector(".dish-name").textContent),
    isHad: dish.hasAttribute("data-had"),
  })),
}));
const tabs = rail ? [...rail.children] : [];
let current = had ?? categories[0]?.tab; // the tab whose dishes are shown while nothing is searched

function isShown(category, dish, words) {
  if (words.length) return words.every((word) => dish.text.includes(word));
  return current === had && had ? dish.isHad : category.tab === current;
}

function show() {
  const words = searched(field.value);
  let count = 0;
  for (const category of categories) {
    for (const dish of category.dishes) dish.element.hidden = !isShown(category, dish, words);
    const shown = category.dishes.filter((dish) => !dish.element.hidden).length;
    category.element.hidden = !shown;
    count += shown;
  }
  markCurrent(tabs, words.length ? null : current);
  list.classList.toggle("dishes-mixed", current === had || words.length > 0);
  found.textContent = count ? "" : box.dataset.none;
}

function open(tab) {
  field.value = "";
  current = tab;
  show();
  if (list.getBoundingClientRect().top < 0) list.scrollIntoView();
  showTab();
}

const showTab = () => current?.scrollIntoView({ block: "nearest", inline: "center" });

// The page of choices and notes has no menu: it shows what is chosen.
if (box) {
  if (had) had.hidden = false;
  rail?.addEventListener("click", (event) => {
    const tab = event.target.closest("a, button");
    if (!tab) return;
    event.preventDefault();
    open(tab);
  });
  matchMedia("(min-width: 48rem)").addEventListener("change", showTab); // a tablet is turned: a column becomes a strip
  field.addEventListener("input", show);
  field.addEventListener("focus", () => field.select()); // the next dish is typed over the last one
  show();
}

/** Shows the category of this dish, unless the dish is in sight. */
export function reveal(dish) {
  const category = categories.find(({ element }) => element.contains(dish));
  if (box && dish.hidden) open(category.tab);
}
