/* Rows of a form are moved by buttons, or dragged. That fills in the numbers of the positions, which they stand for;
   without this script the numbers are all that there is. */
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const texts = document.getElementById("sort-texts");
  for (const fieldset of document.querySelectorAll(".sorted-inline")) {
    const group = fieldset.closest(".inline-group");
    const row = group.dataset.inlineType === "tabular" ? "tr.form-row" : ".inline-related";
    const rows = () => [...group.querySelectorAll(`${row}:not(.empty-form)`)];
    const words = { up: texts.dataset.up, down: texts.dataset.down, drag: texts.dataset.drag };

    function number() {
      rows().forEach((row, index) => { row.querySelector(".sort-number").value = index + 1; });
      mark();
    }

    /* Which buttons lead nowhere. */
    function mark() {
      const all = rows();
      all.forEach((row, index) => {
        row.querySelector(".is-up")?.classList.toggle("leads-nowhere", index === 0);
        row.querySelector(".is-down")?.classList.toggle("leads-nowhere", index === all.length - 1);
      });
    }

    function button(row, direction) {
      const made = document.createElement("button");
      made.type = "button";
      made.className = `sort-step is-${direction}`;
      made.title = words[direction];
      made.setAttribute("aria-label", words[direction]);
      made.addEventListener("click", () => {
        const all = rows();
        const index = all.indexOf(row);
        const other = all[index + (direction === "up" ? -1 : 1)];
        if (!other) return;
        if (direction === "up") other.before(row);
        else other.after(row);
        number();
        made.focus();
      });
      return made;
    }

    /* The other rows make room for the one that is held. */
    function handle(row) {
      const made = document.createElement("span");
      made.className = "sort-handle";
      made.title = words.drag;
      made.setAttribute("aria-hidden", "true");
      made.addEventListener("pointerdown", (event) => {
        if (event.button !== 0) return;
        event.preventDefault();
        row.classList.add("is-dragged");
        const follow = ({ clientY }) => {
          const all = rows();
          const index = all.indexOf(row);
          const middle = (other) => other.getBoundingClientRect().top + other.offsetHeight / 2;
          if (index > 0 && clientY < middle(all[index - 1])) row.after(all[index - 1]);
          else if (index + 1 < all.length && clientY > middle(all[index + 1])) row.before(all[index + 1]);
        };
        const end = new AbortController();
        const drop = () => {
          end.abort();
          row.classList.remove("is-dragged");
          number();
        };
        document.addEventListener("pointermove", follow, { signal: end.signal });
        for (const kind of ["pointerup", "pointercancel"]) document.addEventListener(kind, drop, { signal: end.signal });
      });
      return made;
    }

    function equip(row) {
      const input = row.querySelector(".sort-number");
      if (!input || input.dataset.equipped || row.classList.contains("empty-form")) return;
      input.dataset.equipped = "yes";
      input.after(handle(row), button(row, "up"), button(row, "down"));
      input.hidden = true;
      for (const label of input.labels) label.hidden = true;
    }

    /* What removes a row that was added stands last in it, as the bins of the others do. */
    function closeWith(row) {
      const removal = row.querySelector(":scope > h3 > :has(> .inline-deletelink)");
      if (!removal) return;
      removal.className = "row-end";
      row.append(removal);
    }

    rows().forEach(equip);
    mark();
    document.addEventListener("formset:added", (event) => {
      if (!group.contains(event.target)) return;
      equip(event.target);
      closeWith(event.target);
      number();
    });
    document.addEventListener("formset:removed", mark);
  }
});
