// Follows one order: over the socket, and by polling while there is none.
"use strict";

(() => {
  const order = document.getElementById("order");
  const stale = document.getElementById("stale");
  const POLL_EVERY = 5000; // milliseconds
  let socket = null;
  let delay = 500;

  function show(status) {
    if (order.dataset.status === status) return;
    order.dataset.status = status;
    for (const state of order.querySelectorAll("[data-for]")) {
      state.hidden = state.dataset.for !== status;
      if (!state.hidden) document.title = state.dataset.title;
    }
  }

  async function poll() {
    try {
      const response = await fetch(`/orders/${order.dataset.order}`, {
        headers: { Accept: "application/json" },
        cache: "no-store",
        signal: AbortSignal.timeout(4000),
      });
      if (!response.ok) throw new Error(response.status);
      show((await response.json()).status);
      stale.hidden = true;
    } catch {
      stale.hidden = false;
    }
  }

  function connect() {
    socket = new WebSocket(order.dataset.socket);
    socket.onopen = () => {
      delay = 500;
      poll(); // what happened before the socket was open
    };
    socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      if (message.type === "status_update" && message.orderId === order.dataset.order) show(message.status);
    };
    socket.onclose = () => {
      setTimeout(connect, delay + Math.random() * 300);
      delay = Math.min(delay * 2, 10000);
    };
  }

  connect();
  let ticks = 0;
  setInterval(() => {
    ticks += 1;
    // Every fourth time in any case: a socket can look open and be dead.
    if (!document.hidden && (socket.readyState !== WebSocket.OPEN || ticks % 4 === 0)) poll();
  }, POLL_EVERY);
  // After the phone has slept, its socket may look open and be dead.
  document.addEventListener("visibilitychange", () => document.hidden || poll());
  window.addEventListener("online", poll);
})();
