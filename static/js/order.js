// Follows one order: over the socket, and by polling while there is none.
"use strict";

(() => {
  const order = document.getElementById("order");
  const stale = document.getElementById("stale");
  const back = document.getElementById("back");
  const address = `/orders/${order.dataset.order}`;
  const POLL_EVERY = 5000; // milliseconds
  const BACK_SHOWN = 6000;
  let socket = null;
  let delay = 500;

  const stateOf = (page, status) => page.querySelector(`[data-for="${status}"]`);

  function show(status) {
    if (order.dataset.status === status || !stateOf(order, status)) return;
    order.dataset.status = status;
    order.dataset.moved = ""; // from now on a change is animated
    if (status === "ready") buzz();
    for (const state of order.querySelectorAll("[data-for]")) {
      state.hidden = state.dataset.for !== status;
      if (!state.hidden) document.title = state.dataset.title;
    }
  }

  // Phones allow it once the page was touched.
  function buzz() {
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (!isStill && navigator.userActivation?.hasBeenActive) navigator.vibrate?.([180, 90, 180]);
  }

  // --- cancelling ---

  let cancelling = false; // what is said of it stays

  document.addEventListener("submit", async (event) => {
    const form = event.target.closest("#cancel form");
    if (!form) return;
    event.preventDefault();
    const [button, message] = form.querySelectorAll("button, .notice");
    const say = (text) => Object.assign(message, { textContent: text, hidden: !text });
    if (cancelling) return;
    cancelling = true;
    button.setAttribute("aria-disabled", "true"); // which keeps the focus
    say("");
    const request = { method: "POST", headers: { Accept: "text/html" }, body: new URLSearchParams(new FormData(form)) };
    const response = await window.sendAgain(form.action, request, () => say(message.dataset.waiting));
    cancelling = false;
    button.removeAttribute("aria-disabled");
    say(response ? "" : message.dataset.unsure);
    if (response && response.ok) replaceParts(new DOMParser().parseFromString(await response.text(), "text/html"));
    else if (response) form.submit(); // too late, and a page says why
  });

  // --- whether what is shown is up to date ---

  let losses = 0;

  function lose() {
    losses += 1;
    stale.hidden = false;
    back.hidden = true;
  }

  function recover() {
    if (stale.hidden) return;
    stale.hidden = true;
    back.hidden = false;
    readAnew();
    setTimeout(() => (back.hidden = true), BACK_SHOWN);
  }

  // The moment from which it takes longer than usual; the server says how.
  let late = 0;
  function watchWait(page) {
    clearTimeout(late);
    const left = page.querySelector("[data-late-in]")?.dataset.lateIn;
    if (left) late = setTimeout(readAnew, (Number(left) + 1) * 1000);
  }

  const read = (accept) =>
    fetch(address, { headers: { Accept: accept }, cache: "no-store", signal: AbortSignal.timeout(4000) });

  // --- the page anew: what is ordered, what it comes to, what can be done ---

  let reading = false;
  let readAgain = false;

  async function readAnew() {
    if (reading) {
      readAgain = true;
      return;
    }
    reading = true;
    try {
      const response = await read("text/html");
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      if (response.ok && page.getElementById("order")) replaceParts(page);
    } catch {
      // the next poll finds the difference again
    }
    reading = false;
    if (readAgain) {
      readAgain = false;
      readAnew();
    }
  }

  function replaceParts(page) {
    const fresh = page.getElementById("order");
    const cancel = page.getElementById("cancel");
    if (cancel) cancel.open = Boolean(document.getElementById("cancel")?.open);
    watchWait(fresh);
    for (const part of document.querySelectorAll("[data-part]")) {
      const next = page.querySelector(`[data-part="${part.dataset.part}"]`);
      if (cancelling && part.dataset.part === "actions") continue;
      if (next && next.outerHTML !== part.outerHTML) replace(part, next);
    }
    // Within what is read out: the elements stay, and only their text changes.
    for (const state of order.querySelectorAll("[data-for]")) {
      const next = stateOf(fresh, state.dataset.for);
      state.dataset.title = next.dataset.title;
      if (state.innerHTML !== next.innerHTML) state.innerHTML = next.innerHTML;
    }
    order.dataset.shown = fresh.dataset.shown;
    show(fresh.dataset.status);
    document.title = stateOf(order, order.dataset.status).dataset.title;
  }

  function replace(part, next) {
    const focusable = (each) => [...each.querySelectorAll("a, button, summary")];
    const focused = focusable(part).indexOf(document.activeElement);
    // What is read out stays, and changes only with its text.
    if (!part.matches("[role=status]")) part.replaceWith(next);
    else if (part.textContent !== next.textContent) part.replaceChildren(...next.childNodes);
    if (focused >= 0) focusable(next)[focused]?.focus({ preventScroll: true });
  }

  // --- polling ---

  async function poll() {
    const before = losses;
    try {
      const response = await read("application/json");
      if (!response.ok) throw new Error(response.status);
      const { tableNumber, status, total, items, points } = await response.json();
      const done = items.filter((item) => item.done).length;
      const collected = Boolean(points && points.collectedAt);
      show(status);
      if (losses === before) recover(); // else the response was on its way when the connection was lost
      if (order.dataset.shown !== `${tableNumber} ${status} ${total.toFixed(2)} ${done} ${collected}`) readAnew();
    } catch {
      lose();
    }
  }

  // --- the socket ---

  function connect() {
    socket = new WebSocket(order.dataset.socket);
    socket.onopen = () => {
      delay = 500;
      poll(); // what happened before the socket was open
    };
    socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      if (message.orderId !== order.dataset.order) return;
      if (message.type === "status_update") show(message.status);
      if (message.type === "status_update" || message.type === "order_update") readAnew();
    };
    socket.onclose = () => {
      setTimeout(connect, delay + Math.random() * 300);
      delay = Math.min(delay * 2, 10000);
    };
  }

  connect();
  watchWait(order);
  let ticks = 0;
  setInterval(() => {
    ticks += 1;
    // Every fourth time in any case: a socket can look open and be dead.
    if (!document.hidden && (socket.readyState !== WebSocket.OPEN || ticks % 4 === 0)) poll();
  }, POLL_EVERY);
  // After the phone has slept, its socket may look open and be dead.
  document.addEventListener("visibilitychange", () => document.hidden || poll());
  // Before the guest confirms it: the docket may be printed by now, or the bill paid.
  order.addEventListener("click", (event) => event.target.closest("#cancel > summary") && readAnew());
  window.addEventListener("online", poll);
  window.addEventListener("offline", lose);
})();
