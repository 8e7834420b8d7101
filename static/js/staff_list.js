// Filters the list while somebody types. After a search by the server, whose answer has not everybody, it leaves that to it.
import { plain, searched } from "./words.js";

const form = document.querySelector(".people-find");
const field = form.querySelector("input[type=search]");
const people = [...document.querySelectorAll(".person")].map((element) => ({
  element,
  text: plain(`${element.querySelector("strong").textContent} ${element.dataset.username}`),
}));
const none = document.querySelector(".people-none");
const count = document.getElementById("here-count");

function filter() {
  const wanted = searched(field.value);
  for (const { element, text } of people) element.hidden = !wanted.every((word) => text.includes(word));
  for (const list of document.querySelectorAll(".people")) {
    list.hidden = !list.querySelector(".person:not([hidden])");
    if (list.matches(".people-gone")) document.getElementById("gone").hidden = list.hidden;
  }
  none.hidden = people.some(({ element }) => !element.hidden);
  if (count) count.textContent = document.querySelectorAll(".person:not(.person-gone, [hidden])").length;
}

if (!field.value) {
  form.querySelector("button").hidden = true;
  field.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("pageshow", filter); // after a way back, what was typed is still there
}
