/* The key "/" goes to the search of the admin, unless somebody writes. */
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
