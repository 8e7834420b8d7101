/* The room on a wall, where nobody likes to scroll: how large tickets are, how wide the columns, how long the notes,
   and a word about whatever is out of sight all the same.

   A ticket is never taller than its column, so its button is always there; its items scroll in it if they must. */
(() => {
  "use strict";

  const { byId, word, setText, setHidden, setData } = window.kitchenWords;

  const board = byId("board");
  const onWall = matchMedia("(min-width: 60rem) and (min-height: 34rem)"); // as in kitchen_board.css
  const passing = [byId("undo-bar"), byId("connection-banner")]; // bars that come and go: they change no sizes

  // From the largest size to the smallest. Small type is better than half a note, and half a note, which can be
  // opened, better than a ticket out of sight.
  const WHOLE = ["roomy", "snug", "dense"].map((density) => ({ density, notes: "whole" }));
  const SHORT = ["roomy", "snug", "dense"].map((density) => ({ density, notes: "short" }));
  const NEVER_FIT = 12; // so many tickets that trying the larger sizes would be wasted time
  const ROW = 4; // pixels of the grid's rows, as in kitchen_board.css
  const GAP = 12; // pixels between tickets
  const LONG = 7; // lines; a note has to be longer to be shortened
  const MIGHT_BE_LONG = 80; // characters
  const NARROWEST = 16.25; // rem of a dense ticket with its gap
  const WORTH_IT = 1.25; // so much fuller must a column be before the columns' widths change
  const BACK_AFTER = 30_000; // milliseconds: whoever scrolled has gone away

  const columns = [...board.querySelectorAll(".column")].map((section) => ({
    section,
    list: section.querySelector(".tickets"),
    more: section.querySelector(".more"),
  }));

  // --- tickets that fill the gaps between each other ---

  function pack(nodes) {
    const rows = nodes.map((node) => Math.ceil((node.offsetHeight + GAP) / ROW));
    nodes.forEach((node, place) => node.style.setProperty("--rows", rows[place]));
  }

  // Whatever makes a ticket higher: an opened note, a problem, the stripes of a very late one.
  const sizes = new ResizeObserver((entries) => {
    requestAnimationFrame(() => {
      pack(entries.map((entry) => entry.target));
      hint();
    });
  });

  // --- sizes ---

  function markLongNotes({ list }) {
    for (const text of list.querySelectorAll(".item-note-text")) {
      if (text.textContent.length < MIGHT_BE_LONG) continue;
      const lines = text.scrollHeight / parseFloat(getComputedStyle(text).lineHeight);
      text.parentElement.classList.toggle("is-long", lines > LONG + 0.5);
    }
  }

  function sizesToTry(column) {
    if (!onWall.matches) return SHORT.slice(0, 1);
    return isCrowded(column) ? SHORT.slice(-1) : [...WHOLE, ...SHORT];
  }

  const isCrowded = ({ list }) => list.children.length > NEVER_FIT;

  /** As large as possible with all tickets of the column whole and in sight. False: not even the smallest do. */
  function fit(column) {
    const { list, section } = column;
    const tries = sizesToTry(column);
    section.classList.add("is-measuring");
    let fits = false;
    for (const { density, notes } of tries) {
      section.dataset.density = density;
      section.dataset.notes = notes;
      if (notes === "short") markLongNotes(column);
      if (isCrowded(column)) break;
      pack([...list.children]);
      const bars = sum([...passing, column.more].map((bar) => bar.offsetHeight));
      fits = list.scrollHeight <= list.clientHeight + bars + 1;
      if (fits) break;
    }
    section.classList.remove("is-measuring");
    pack([...list.children]);
    return fits;
  }

  // --- the columns' widths ---

  let shares = null; // of the board's width, for each column; null: all are as wide

  function giveWidths(next) {
    shares = next;
    const widths = (next ?? [1, 1, 1]).map((share) => `minmax(0, ${share}fr)`);
    board.style.setProperty("--columns", widths.join(" "));
  }

  const sum = (numbers) => numbers.reduce((all, each) => all + each, 0);
  const lines = (node) => 4 + node.querySelector(".ticket-items").children.length;

  /** So that the fullest column is as little full as can be. Null: all as wide is about as good. */
  function sharesByLoad(present) {
    const counts = columns.map(({ list }) => list.children.length);
    const loads = columns.map(({ list }) => sum([...list.children].map(lines)));
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const tracks = Math.max(3, Math.floor((board.clientWidth - 2 * GAP) / (NARROWEST * rem)));
    // A ticket can't be cut in two: more room beside each other than there are tickets is of no use.
    const fullness = (each) => loads.map((load, place) => load / Math.max(1, Math.min(each[place], counts[place])));
    const fullest = (each) => Math.max(...fullness(each));
    const best = columns.map(() => 1);
    for (let left = tracks - 3; left > 0; left -= 1) {
      const wanting = fullness(best).map((full, place) => (best[place] < counts[place] ? full : 0));
      if (Math.max(...wanting) > 0) best[wanting.indexOf(Math.max(...wanting))] += 1;
    }
    const isPossible = present && sum(present) === sum(best);
    const kept = isPossible ? present : columns.map(() => Math.floor(tracks / 3));
    if (fullest(kept) > WORTH_IT * fullest(best)) return best;
    return isPossible ? present : null;
  }

  function refit() {
    const present = shares;
    const fitAll = () => columns.map(fit).every(Boolean);
    giveWidths(onWall.matches && columns.some(isCrowded) ? sharesByLoad(present) : null);
    if (!fitAll() && onWall.matches && !shares) {
      giveWidths(sharesByLoad(present));
      if (shares) fitAll();
    }
    hint();
  }

  let frame = 0;

  /** Before the next picture, however many orders come until then. */
  function refitSoon() {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      refit();
    });
  }

  addEventListener("resize", refitSoon);

  // --- what is out of sight ---

  /** Less than half of it can be seen. */
  function isBelow(node, end) {
    const { top, bottom } = node.getBoundingClientRect();
    return bottom > end + 8 && top + bottom > 2 * end;
  }

  /** `button` stands below `scroller` and says what is further down: `say` is told its children out of sight. */
  function hintAt(scroller, button, say) {
    const taken = button.offsetHeight; // by the button itself
    const room = scroller.clientHeight + taken;
    const overflows = onWall.matches && scroller.scrollHeight > room + 1;
    if (overflows) {
      const end = scroller.getBoundingClientRect().bottom;
      const atEnd = scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 2;
      setData(button, "leads", atEnd ? "up" : "down");
      say(atEnd ? null : [...scroller.children].filter((node) => isBelow(node, end)), end);
    }
    setHidden(button, !overflows);
    return overflows;
  }

  function hintBelow({ list, more }) {
    hintAt(list, more, (below) => {
      const tables = below && below.map((node) => node.querySelector(".ticket-number").textContent).join(" · ");
      const count = below && below.length;
      setText(more, word(!below ? "more-top" : count === 0 ? "more-rest" : "more", { count, tables }));
      const lates = (below ?? []).map((node) => node.dataset.late);
      setData(more, "late", lates.includes("very-late") ? "very-late" : lates.includes("late") ? "late" : "");
    });
  }

  function hintInside(ticket) {
    const items = ticket.querySelector(".ticket-items");
    const rest = ticket.querySelector(".ticket-rest");
    const overflows = hintAt(items, rest, (below, end) => {
      const notes = below ? [...items.querySelectorAll(".item-note:not([hidden])")] : [];
      const noted = notes.some((note) => note.getBoundingClientRect().bottom > end + 8);
      const count = below && below.length;
      const said = count === 0 ? "rest-end" : "rest";
      setText(rest, word(below ? `${said}${noted ? "-note" : ""}` : "rest-top", { count }));
      rest.classList.toggle("has-notes", noted);
    });
    if (overflows) items.tabIndex = 0;
    else items.removeAttribute("tabindex");
  }

  function hint() {
    columns.forEach(hintBelow);
    board.querySelectorAll(".ticket").forEach(hintInside);
  }

  /** The first that is cut comes to the top, or a page of it if it is there already; from the end, the beginning. */
  function goOn(scroller, button) {
    if (button.dataset.leads === "up") {
      scroller.scrollTo({ top: 0 });
      return;
    }
    const { top, bottom } = scroller.getBoundingClientRect();
    const cut = [...scroller.children].find((node) => node.getBoundingClientRect().bottom > bottom + 8);
    const distance = cut ? cut.getBoundingClientRect().top - top - GAP : 0;
    scroller.scrollBy({ top: distance > GAP ? distance : scroller.clientHeight * 0.8 });
  }

  columns.forEach(({ list, more }) => more.addEventListener("click", () => goOn(list, more)));

  board.addEventListener("click", ({ target }) => {
    const rest = target.closest(".ticket-rest");
    if (rest) goOn(rest.closest(".ticket").querySelector(".ticket-items"), rest);
    const note = target.closest("[data-notes=short] .item-note.is-long");
    if (note) openNote(note, !note.classList.contains("is-open"));
  });

  function openNote(note, open) {
    const button = note.querySelector(".item-note-more");
    note.classList.toggle("is-open", open);
    button.setAttribute("aria-expanded", String(open));
    setText(button, word(open ? "note-less" : "note-more"));
    hint();
  }

  // --- back to the oldest, when nobody is there to scroll back ---

  const timers = new WeakMap();

  function comeBack(scroller) {
    clearTimeout(timers.get(scroller));
    if (scroller.scrollTop === 0 || !onWall.matches) return;
    const back = () => (scroller.querySelector(":focus-visible") ? comeBack(scroller) : scroller.scrollTo({ top: 0 }));
    timers.set(scroller, setTimeout(back, BACK_AFTER));
  }

  const scrolled = ({ target }) => {
    if (target === board) return;
    comeBack(target);
    hint();
  };
  board.addEventListener("scroll", scrolled, { passive: true, capture: true });

  window.kitchenRoom = {
    /** Find the sizes anew: other tickets, or the same in other columns. */
    refit: refitSoon,
    /** Say anew what is out of sight. */
    hint,
    watch: (ticket) => sizes.observe(ticket),
    forget: (ticket) => sizes.unobserve(ticket),
  };
})();
