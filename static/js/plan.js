/* The tables on a board: they are dragged, put where is tapped next, or moved by the arrow keys. */
(() => {
  "use strict";

  const grid = window.planGrid;
  if (!grid) return;
  const form = document.getElementById("plan");
  const board = document.getElementById("board");
  const tray = document.getElementById("tray");
  const said = document.getElementById("plan-said");
  const words = document.getElementById("plan-words").content;
  const chosenBar = document.getElementById("plan-chosen");
  const fields = [...form.querySelectorAll(".plan-number input")];
  const LEAST = { columns: 7, rows: 5 };
  const FREE = 2; // columns and rows of the board beyond what the floor shows
  const AS_A_CLICK = 5; // pixels that a finger moves by itself
  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const spots = new Map(grid.numbers.map((number) => [number, make(number)]));
  let size = LEAST; // of the board
  let chosen = null; // the number of a table
  let sending = false;

  const word = (key, named = {}) =>
    words.querySelector(`[data-key="${key}"]`).textContent.replace(/\{(\w+)\}/g, (all, name) => named[name] ?? all);

  function sentence(number) {
    const place = grid.cell(number);
    return place ? word("here", { number, ...place }) : word("nowhere", { number });
  }

  function make(number) {
    const row = form.querySelector(`[data-table="${number}"]`);
    const item = document.createElement("li");
    const spot = document.createElement("button");
    spot.type = "button";
    spot.className = "spot";
    spot.dataset.number = number;
    spot.append(number);
    spot.setAttribute("aria-describedby", "plan-help");
    const seats = Number(row.dataset.seats ?? 4);
    if (row.dataset.seats) spot.append(Object.assign(document.createElement("small"), { textContent: row.querySelector(".soft").textContent }));
    if (seats <= 2) spot.classList.add("spot-round");
    if (seats >= 6) spot.classList.add("spot-long");
    if (row.querySelector("[aria-invalid]")) spot.classList.add("spot-wrong");
    item.append(spot);
    return spot;
  }

  function show() {
    const active = document.activeElement; // in another list it has lost the focus
    const used = { columns: 0, rows: 0 }; // the floor shows the plan up to there
    for (const [number, spot] of spots) {
      const place = grid.cell(number);
      const item = spot.parentElement;
      const list = place ? board : tray;
      if (item.parentElement !== list) list.append(item);
      item.style.gridArea = place ? `${place.row} / ${place.column}` : "";
      spot.setAttribute("aria-label", sentence(number));
      spot.classList.toggle("is-chosen", number === chosen);
      used.columns = Math.max(used.columns, place?.column ?? 0);
      used.rows = Math.max(used.rows, place?.row ?? 0);
    }
    size = {};
    for (const side of ["columns", "rows"]) {
      size[side] = Math.min(Math.max(used[side] + FREE, LEAST[side]), grid[side]);
      board.style.setProperty(`--${side}`, size[side]);
      board.style.setProperty(`--used-${side}`, used[side] || 1);
    }
    board.classList.toggle("has-frame", used.rows > 0);
    document.getElementById("tray-name").hidden = tray.hidden = !tray.children.length;
    chosenBar.hidden = !chosen;
    if (chosen) document.getElementById("plan-where").textContent = sentence(chosen);
    document.getElementById("plan-remove").hidden = !chosen || !grid.cell(chosen);
    document.getElementById("unsaved").hidden = document.getElementById("plan-save").disabled = !isChanged();
    if (active.matches(".spot")) active.focus();
  }

  const isChanged = () =>
    fields.some((field) => field.value !== field.defaultValue) || Boolean(document.getElementById("refusal"));

  function choose(number) {
    if (number === chosen) return;
    chosen = number;
    show();
  }

  function move(number, place) {
    grid.put(number, place);
    show();
    said.textContent = sentence(number);
  }

  // --- by keys ---

  function press(event) {
    const number = event.target.dataset.number;
    if (!number || event.altKey || event.ctrlKey || event.metaKey) return;
    const place = grid.cell(number);
    if (event.key in ARROWS) {
      event.preventDefault();
      const to = place ? grid.next(place, ARROWS[event.key]) : grid.firstFree();
      if (to) move(number, to);
      else said.textContent = word("full");
    } else if (place && ["Delete", "Backspace"].includes(event.key)) {
      event.preventDefault();
      move(number, null);
    }
  }

  // --- by finger or mouse ---

  let drag = null;

  function cellAt(x, y) {
    const { left, top, width, height } = board.getBoundingClientRect();
    if (x < left || y < top || x >= left + width || y >= top + height) return null;
    return {
      column: 1 + Math.floor(((x - left) / width) * size.columns),
      row: 1 + Math.floor(((y - top) / height) * size.rows),
    };
  }

  function begin(event) {
    const spot = event.target.closest(".spot");
    if (!spot || event.button) return;
    drag = { spot, x: event.clientX, y: event.clientY, moved: false };
    spot.setPointerCapture(event.pointerId);
    choose(spot.dataset.number);
  }

  function follow(event) {
    if (!drag) return;
    const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
    drag.moved ||= Math.hypot(x, y) > AS_A_CLICK;
    if (!drag.moved) return;
    drag.spot.classList.add("is-dragged");
    drag.spot.style.translate = `${x}px ${y}px`;
  }

  function end(event) {
    if (!drag) return;
    const { spot, moved } = drag;
    drag = null;
    spot.classList.remove("is-dragged");
    spot.style.translate = "";
    if (moved && event.type === "pointerup") move(spot.dataset.number, cellAt(event.clientX, event.clientY));
  }

  for (const place of [board, tray]) {
    place.addEventListener("keydown", press);
    place.addEventListener("focusin", (event) => choose(event.target.dataset.number));
    place.addEventListener("pointerdown", begin);
    place.addEventListener("pointermove", follow);
    for (const name of ["pointerup", "pointercancel"]) place.addEventListener(name, end);
  }
  board.addEventListener("click", (event) => {
    const place = chosen && !event.target.closest(".spot") && cellAt(event.clientX, event.clientY);
    if (place) move(chosen, place);
  });
  document.getElementById("plan-remove").addEventListener("click", () => {
    move(chosen, null);
    spots.get(chosen).focus();
  });
  form.addEventListener("input", show);
  form.addEventListener("reset", () => setTimeout(show)); // the fields are reset after it
  form.addEventListener("submit", () => (sending = true));
  addEventListener("beforeunload", (event) => !sending && isChanged() && event.preventDefault());
  addEventListener("pageshow", () => {
    sending = false;
    show();
  });
  document.getElementById("plan-room").hidden = false;
  document.getElementById("numbers").open = Boolean(form.querySelector("[aria-invalid]"));
  show();
})();
