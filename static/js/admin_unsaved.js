/* Lets a form be saved once something in it differs from what the server sent, and offers to discard that.
   Without this script it can always be saved. */
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const form = document.querySelector(".rows-form");
  const discard = form?.querySelector(".discard");
  if (!discard) return;
  const row = discard.closest(".submit-row");
  let rows = 0; // added and removed, which are no fields that differ

  /* By what the page came with: a browser that goes back fills in what was written before. */
  function differs(field) {
    if (field.type === "hidden" || field.disabled) return false;
    if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
    if (field.type === "file") return field.files.length > 0;
    if (!field.options) return "defaultValue" in field && field.value !== field.defaultValue;
    const options = [...field.options];
    const hasDefault = field.multiple || options.some((option) => option.defaultSelected);
    return options.some((option, place) => option.selected !== (hasDefault ? option.defaultSelected : place === 0));
  }

  function check() {
    const isChanged = rows > 0 || [...form.elements].some(differs);
    for (const button of row.querySelectorAll("[type=submit]")) button.disabled = !isChanged;
    discard.hidden = !isChanged;
    form.classList.toggle("is-unchanged", !isChanged);
  }

  const later = () => setTimeout(check); // after other scripts have changed fields
  for (const name of ["input", "change", "click", "keyup", "pointerup"]) document.addEventListener(name, later);
  for (const name of ["formset:added", "formset:removed"]) {
    document.addEventListener(name, () => {
      rows += 1;
      check();
    });
  }
  addEventListener("pageshow", check);
  check();
});
