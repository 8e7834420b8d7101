/* Closes an open filter or menu by a click elsewhere or the Escape key, and offers to save a list's fields once one is changed.
   Without this script filters are closed by their buttons, and saving is always offered. */
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const filters = [...document.querySelectorAll("details:is(.filter, .drop)")];
  document.addEventListener("click", (event) => {
    for (const filter of filters) if (!filter.contains(event.target)) filter.open = false;
  });
  document.addEventListener("keydown", (event) => {
    const open = event.key === "Escape" && filters.find((filter) => filter.open);
    if (!open) return;
    open.open = false;
    open.querySelector("summary").focus();
  });

  const form = document.getElementById("changelist-form");
  if (!form?.querySelector(".list-save") || document.querySelector("#changelist-form .errorlist")) return;
  form.classList.add("is-unchanged");
  form.addEventListener("input", (event) => {
    if (event.target.closest(".action-checkbox, .actions, thead")) return;
    form.classList.remove("is-unchanged");
    form.classList.add("is-changed");
  });
});
