/* Puts a newer version of the page in place of the one on the screen, without taking anything away from whoever is using
   it: the place that is being looked at, the focus, what is open and what is being typed stay.

   Children of an element with `data-keyed` have ids. Those that the server sends unchanged stay as they are. */
(() => {
  "use strict";

  const words = document.getElementById("floor-words").content;
  const announcer = document.getElementById("announcer");
  const originals = new WeakMap(); // elements, and the HTML that the server sent for them
  const title = document.title;

  function word(key, values = {}) {
    const text = words.querySelector(`[data-key="${key}"]`).textContent;
    return text.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);
  }

  const main = () => document.getElementById("floor");
  const children = (parent) => new Map([...parent.children].map((child) => [child.id, child]));

  // Every response writes Django's token differently, and the first one stays good.
  const token = document.querySelector("[name=csrfmiddlewaretoken]")?.value;

  function normalize(root) {
    for (const field of root.querySelectorAll("[name=csrfmiddlewaretoken]")) {
      if (token) field.setAttribute("value", token);
    }
  }

  function remember(parent) {
    for (const child of parent.children) {
      if ("keyed" in child.dataset) remember(child);
      else originals.set(child, child.outerHTML);
    }
  }

  const isTyping = (element) => {
    const active = document.activeElement;
    return element.contains(active) && active.matches("input:not([type=hidden]), textarea, select");
  };

  function reconcile(parent, fresh) {
    const old = children(parent);
    let after = null;
    for (const next of [...fresh.children]) {
      const existing = old.get(next.id);
      old.delete(next.id);
      const placed = existing ? merge(existing, next) : next;
      if (!existing && !("keyed" in next.dataset)) originals.set(next, next.outerHTML);
      if (!existing && "keyed" in next.dataset) remember(next);
      const expected = after ? after.nextElementSibling : parent.firstElementChild;
      if (placed !== expected) parent.insertBefore(placed, expected);
      after = placed;
    }
    for (const gone of old.values()) gone.remove();
  }

  function merge(existing, next) {
    if ("keyed" in existing.dataset && "keyed" in next.dataset) {
      reconcile(existing, next);
      return existing;
    }
    const html = next.outerHTML;
    if (originals.get(existing) === html || isTyping(existing)) return existing;
    originals.set(next, html);
    for (const open of next.querySelectorAll("details")) open.open = document.getElementById(open.id)?.open ?? open.open;
    if (next.matches("details")) next.open = existing.open;
    existing.replaceWith(next);
    return next;
  }

  // --- what stays where it is ---

  function anchor() {
    const inView = (element) => element.getBoundingClientRect().bottom > 0;
    const keyed = [...main().querySelectorAll("[data-keyed] > [id]:not([data-keyed])")].filter(inView);
    return keyed.slice(0, 8).map((element) => [element.id, element.getBoundingClientRect().top]);
  }

  /** Scroll so that the first that is still there has not moved. At the top of the page, what is new pushes it down. */
  function restore(places) {
    if (!scrollY) return;
    const still = places.find(([id]) => document.getElementById(id));
    if (still) scrollBy(0, document.getElementById(still[0]).getBoundingClientRect().top - still[1]);
  }

  const FOCUSABLE = "a, button, summary, input, textarea, select";

  /** Finds what has the focus again, in a newer version of the element around it. */
  function focused() {
    const active = document.activeElement;
    if (!main().contains(active)) return () => {};
    const around = active.closest("[id]");
    const number = [...around.querySelectorAll(FOCUSABLE)].indexOf(active);
    return () => {
      if (main().contains(document.activeElement)) return;
      const now = document.getElementById(around.id);
      const same = number < 0 ? now : now?.querySelectorAll(FOCUSABLE)[number];
      (same || document.querySelector("#now-name, h1")).focus({ preventScroll: true });
    };
  }

  const sounding = () => [...main().querySelectorAll("[data-sounds]")];

  /** The new version, as a document. Returns the kinds of what has come that sounds. */
  function update(page) {
    const fresh = page.getElementById("floor");
    normalize(fresh);
    const known = new Set(sounding().map((element) => element.id));
    const refocus = focused();
    const places = anchor();
    reconcile(main(), fresh);
    window.shell.update(page);
    main().dataset.section = fresh.dataset.section ?? "";
    restore(places);
    refocus();
    showAges();
    const came = sounding().filter((element) => !known.has(element.id));
    if (came.length) announcer.textContent = came.map((element) => element.dataset.announce).join(". ");
    showCount();
    return new Set(came.map((element) => element.dataset.sounds));
  }

  function showCount() {
    const count = sounding().length;
    document.title = count ? `(${count}) ${title}` : title;
  }

  // --- ages, by the server's clock ---

  let offset = 0; // milliseconds

  function setClock(header) {
    const date = Date.parse(header);
    if (Number.isNaN(date)) return;
    const ahead = date - Date.now();
    offset = Math.abs(ahead) > 2000 ? ahead : 0;
  }

  const hoursText = (minutes) => word("hours", { hours: Math.floor(minutes / 60), minutes: minutes % 60 });

  function ageText(minutes) {
    if (minutes < 1) return word("now");
    if (minutes < 60) return word("minutes", { minutes });
    if (minutes < 24 * 60) return hoursText(minutes);
    return word("days", { days: Math.floor(minutes / 1440) });
  }

  function showAges() {
    showLeft();
    for (const time of document.querySelectorAll("time[data-age]")) {
      const minutes = Math.max(0, Math.floor((Date.now() + offset - Date.parse(time.dateTime)) / 60_000));
      if (time.dataset.minutes === String(minutes)) continue;
      time.dataset.minutes = minutes;
      time.textContent = ageText(minutes);
      if (time.dataset.late) time.classList.toggle("is-late", minutes >= Number(time.dataset.late));
    }
  }

  /** The time until a moment, in minutes that have begun. */
  function showLeft() {
    for (const time of document.querySelectorAll("time[data-left]")) {
      const minutes = Math.max(0, Math.ceil((Date.parse(time.dateTime) - Date.now() - offset) / 60_000));
      const text = word("left", { left: minutes < 60 ? word("minutes", { minutes }) : hoursText(minutes) });
      if (time.textContent !== text) time.textContent = text;
    }
  }

  normalize(document);
  remember(main());
  showAges();
  showCount();
  setInterval(showAges, 5000);

  window.floorPage = { update, word, setClock };
})();
