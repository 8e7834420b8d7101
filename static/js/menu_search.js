// Filters the dishes on the page while the guest types.
"use strict";

(() => {
  const box = document.getElementById("search");
  if (!box) return;
  const field = box.querySelector("input");
  const found = box.querySelector("p");
  // Without accents: "creme" finds "Crème".
  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const items = [...document.querySelectorAll(".item")].map((element) => ({
    element,
    text: plain(element.querySelector(".item-text").textContent),
  }));
  const sections = [...document.querySelectorAll(".category")];

  function search() {
    const words = plain(field.value).split(/\s+/).filter(Boolean);
    let count = 0;
    for (const { element, text } of items) {
      element.hidden = !words.every((word) => text.includes(word));
      count += !element.hidden;
    }
    for (const section of sections) {
      section.hidden = !section.querySelector(".item:not([hidden])");
      if (section.matches("details") && words.length) section.open = !section.hidden;
    }
    document.body.classList.toggle("is-searching", words.length > 0);
    const phrase = count === 0 ? box.dataset.none : count === 1 ? box.dataset.one : box.dataset.many.replace("#", count);
    found.textContent = words.length ? phrase : "";
  }

  field.addEventListener("input", search);
  // The keyboard's "Search" key must not submit the menu's form.
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    field.blur();
  });
  for (const link of document.querySelectorAll(".categories a")) {
    link.addEventListener("click", () => {
      field.value = "";
      search();
    });
  }
  if (field.value) search(); // restored by the browser after a reload
})();
