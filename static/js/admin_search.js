/* The key "/" goes to the search of the admin, unless somebody writes; and the list of pages shows where one is. */
"use strict";

document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable], dialog")) return;
  const field = [...document.querySelectorAll("[data-search]")].find((each) => each.checkVisibility());
  const link = document.querySelector(".admin-search-tool");
  if (!field && !link) return;
  event.preventDefault();
  if (field) field.select();
  else link.click();
});

document.addEventListener("reset", (event) => event.target.querySelector("[data-search]")?.focus());

function showPage() {
  const pages = document.querySelector(".admin-pages-list");
  const here = pages?.querySelector("[aria-current]");
  if (!here || !here.checkVisibility()) return;
  const end = Math.min(pages.getBoundingClientRect().bottom, innerHeight);
  const below = here.getBoundingClientRect().bottom + here.offsetHeight - end; // with the next one, as a hint of more
  const wanted = pages.scrollTop + Math.max(below, 0);
  if (wanted <= 0) return;
  const start = pages.getBoundingClientRect().top - pages.scrollTop;
  const most = pages.scrollHeight - pages.clientHeight;
  const rows = [...pages.querySelectorAll("summary, .admin-page")].filter((row) => row.checkVisibility());
  const places = rows.map((row) => row.getBoundingClientRect().top - start).filter((place) => place <= most);
  pages.scrollTop = places.find((place) => place > wanted - 1) ?? places.at(-1); // the first row is whole
}

document.addEventListener("DOMContentLoaded", showPage);
addEventListener("resize", showPage);
