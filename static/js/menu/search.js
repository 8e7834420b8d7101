// Filters the dishes on the page while the guest types. What a guest with allergies has set apart stays so.
import { counted, fill, plain, searched } from "../words.js";

const box = document.getElementById("search");
const field = box.querySelector("input");
const clear = box.querySelector("button");
const found = document.getElementById("found");
const favourites = document.getElementById("favourites"); // what is found is shown once
const [words, showAll] = [found.querySelector("p"), found.querySelector("button")];
const sections = [...document.querySelectorAll(".category")].map((element) => ({
  element,
  link: document.querySelector(`.categories a[href="#${element.id}"]`),
  apart: element.querySelector(".apart"),
  items: [...element.querySelectorAll(".item")].map((item) => ({ item, text: "" })),
}));
function hide(element, hidden) {
  if (element && element.hidden !== hidden) element.hidden = hidden;
}

// Once, when somebody is about to search.
function read() {
  for (const { items } of sections) {
    for (const each of items) each.text ||= plain(each.item.querySelector(".item-text").textContent);
  }
}

function phrase(count) {
  return count ? counted(box.dataset, count) : fill(box.dataset.none, { words: field.value.trim() });
}

function search() {
  const wanted = searched(field.value);
  if (wanted.length) read();
  let count = 0;
  for (const { element, link, apart, items } of sections) {
    let [here, setApart] = [0, 0];
    for (const { item, text } of items) {
      const fits = wanted.every((word) => text.includes(word));
      hide(item, !fits);
      here += fits;
      if (fits && item.classList.contains("item-apart")) setApart += 1;
    }
    hide(element, !here);
    hide(link, !here);
    hide(apart, !setApart);
    if (element.matches("details") && wanted.length) element.open = here > 0;
    count += here;
  }
  hide(favourites, wanted.length > 0);
  hide(clear, !field.value);
  hide(showAll, count > 0);
  found.classList.toggle("empty-state", count === 0);
  words.textContent = wanted.length ? phrase(count) : "";
}

function leave() {
  clearTimeout(typed);
  field.value = "";
  search();
}

field.addEventListener("focus", () => setTimeout(read, 200), { once: true });
let typed = 0;
field.addEventListener("input", () => {
  clearTimeout(typed);
  typed = setTimeout(search, 50); // the letter is painted first
});
field.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && field.value) {
    event.preventDefault();
    leave();
  }
  // The keyboard's "Search" key puts the keyboard away, and sends nothing.
  if (event.key !== "Enter") return;
  event.preventDefault();
  field.blur();
});
for (const button of [clear, showAll]) {
  button.addEventListener("click", () => {
    leave();
    field.focus();
  });
}
// The filter by allergens loads the page again: the search goes on there.
const KEPT = "menu-search";
document.querySelector("#filter form")?.addEventListener("submit", () => {
  if (field.value) sessionStorage.setItem(KEPT, field.value);
});
field.value ||= sessionStorage.getItem(KEPT) || "";
sessionStorage.removeItem(KEPT);
if (field.value) search();
