/* Moves rows of a list without a reload: by its buttons, or dragged by pointer and finger.
   Without this script the buttons submit the list's form. */
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const table = document.getElementById("result_list");
  if (!table || !table.querySelector(".sort")) return;
  const status = document.getElementById("list-status");
  const sortOf = (row) => row.querySelector(".sort");
  const groupOf = (row) => [...row.parentElement.rows].filter((other) => sortOf(other)?.dataset.group === sortOf(row).dataset.group);

  function say(words, failed = false) {
    status.textContent = words;
    status.classList.toggle("visually-hidden", !failed);
    status.classList.toggle("menu-failed", failed);
  }

  /* Puts the rows of a group in this order, in the places that they have on this page. */
  function arrange(rows, keys) {
    const place = document.createComment("");
    const sorted = [...rows].sort((a, b) => keys.indexOf(sortOf(a).dataset.row) - keys.indexOf(sortOf(b).dataset.row));
    rows[0].before(place);
    const focused = document.activeElement;
    for (const row of sorted) place.before(row);
    place.remove();
    if (focused && focused !== document.activeElement) focused.focus();
    mark();
  }

  /* Where a group begins, and which buttons lead nowhere. */
  function mark() {
    let before;
    for (const row of table.tBodies[0].rows) {
      const sort = sortOf(row);
      const first = before?.dataset.group !== sort.dataset.group;
      row.classList.toggle("begins-group", first && Boolean(before));
      for (const each of [row, row.cells[0]]) {
        if (first && sort.dataset.group) {
          each.dataset.heading = sort.dataset.group;
          each.dataset.count = groupOf(row).length;
        } else delete each.dataset.heading;
      }
      sort.querySelector(".is-up").classList.toggle("leads-nowhere", first);
      before?.querySelector(".is-down").classList.toggle("leads-nowhere", first);
      before = sort;
    }
    before?.querySelector(".is-down").classList.add("leads-nowhere");
  }

  async function send(row, move, beside = "") {
    const sort = sortOf(row);
    const body = new FormData();
    body.set("csrfmiddlewaretoken", document.querySelector("#changelist-form [name=csrfmiddlewaretoken]").value);
    body.set("move", move);
    body.set("beside", beside);
    row.setAttribute("aria-busy", "true");
    try {
      const response = await fetch(sort.dataset.address, { method: "POST", body, headers: { Accept: "application/json" } });
      const answer = await response.json();
      if (!response.ok) throw new Error(answer.error);
      arrange(groupOf(row), answer.order);
      say(answer.words);
      return true;
    } catch (error) {
      say(error instanceof TypeError || error instanceof SyntaxError ? status.dataset.error : error.message || status.dataset.error, true);
      return false;
    } finally {
      row.removeAttribute("aria-busy");
    }
  }

  table.addEventListener("click", (event) => {
    const button = event.target.closest(".sort-step");
    if (!button) return;
    event.preventDefault();
    const row = button.closest("tr");
    if (!row.hasAttribute("aria-busy")) send(row, button.value);
  });

  /* --- dragging --------------------------------------------------------------------------------- */

  let drag = null;

  /* Moves the other rows, not the dragged one: an element that is put elsewhere loses the finger. */
  function follow(event) {
    const { row } = drag;
    const isNeighbour = (other) => other && sortOf(other).dataset.group === sortOf(row).dataset.group;
    const middle = (other) => {
      const box = other.getBoundingClientRect();
      return box.top + box.height / 2;
    };
    while (isNeighbour(row.previousElementSibling) && event.clientY < middle(row.previousElementSibling)) {
      row.after(row.previousElementSibling);
    }
    while (isNeighbour(row.nextElementSibling) && event.clientY > middle(row.nextElementSibling)) {
      row.before(row.nextElementSibling);
    }
  }

  function scroll() {
    if (!drag) return;
    const edge = 60;
    if (drag.y < edge) scrollBy(0, -12);
    else if (drag.y > innerHeight - edge) scrollBy(0, 12);
    drag.frame = requestAnimationFrame(scroll);
  }

  async function drop(cancelled) {
    const { row, order, frame } = drag;
    drag = null;
    cancelAnimationFrame(frame);
    row.classList.remove("is-dragged");
    const rows = groupOf(row);
    const keys = rows.map((each) => sortOf(each).dataset.row);
    if (cancelled) return arrange(rows, order);
    if (keys.join() === order.join()) return;
    const at = rows.indexOf(row);
    const sent = at + 1 < rows.length ? await send(row, "before", keys[at + 1]) : await send(row, "after", keys[at - 1]);
    if (!sent) arrange(groupOf(row), order);
  }

  for (const handle of table.querySelectorAll(".sort-handle")) {
    handle.hidden = false;
    handle.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || drag) return;
      event.preventDefault();
      const row = handle.closest("tr");
      drag = { row, y: event.clientY, order: groupOf(row).map((each) => sortOf(each).dataset.row) };
      row.classList.add("is-dragged");
      scroll();
    });
  }
  document.addEventListener("pointermove", (event) => {
    if (!drag) return;
    drag.y = event.clientY;
    follow(event);
  });
  document.addEventListener("pointerup", () => drag && drop(false));
  document.addEventListener("pointercancel", () => drag && drop(true));
  document.addEventListener("keydown", (event) => event.key === "Escape" && drag && drop(true));
  /* A phone has no room for the arrows beside names: they wait until the order is to be changed. */
  const change = document.querySelector(".sort-begins");
  if (change) {
    const words = change.textContent;
    const menu = change.closest("details");
    change.closest("li").hidden = false;
    table.classList.add("keeps-order");
    change.addEventListener("click", () => {
      change.textContent = table.classList.toggle("keeps-order") ? words : change.dataset.done;
      menu.open = false;
      menu.querySelector("summary").focus();
    });
  }
  table.classList.toggle("is-grouped", Boolean(table.querySelector(".sort:not([data-group=''])")));
  mark();
});
