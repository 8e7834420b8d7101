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

document.addEventListener("DOMContentLoaded", () => {
  const pages = document.querySelector(".admin-pages");
  const here = pages?.querySelector("[aria-current]");
  if (!here || !here.checkVisibility()) return;
  const end = Math.min(pages.getBoundingClientRect().bottom, innerHeight);
  const below = here.getBoundingClientRect().bottom + here.offsetHeight - end; // with the next one, as a hint of more
  if (below > 0) pages.scrollTop += below;
});
