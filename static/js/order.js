// Follows one order: over the socket, and by asking again while there is none.
"use strict";

(() => {
  const order = document.getElementById("order");
  const stale = document.getElementById("stale");
  const ASK_EVERY = 5000;
  let socket = null;
  let delay = 500;

  function show(status) {
    if (order.dataset.status === status) return;
    order.dataset.status = status;
    for (const face of order.querySelectorAll("[data-for]")) face.hidden = face.dataset.for !== status;
  }

  async function ask() {
    try {
      const answer = await fetch(`/orders/${order.dataset.order}`, {
        headers: { Accept: "application/json" },
        cache: "no-store",
        signal: AbortSignal.timeout(4000),
      });
      if (!answer.ok) throw new Error(answer.status);
      show((await answer.json()).status);
      stale.hidden = true;
    } catch {
      stale.hidden = false;
    }
  }

  function connect() {
    socket = new WebSocket(order.dataset.socket);
    socket.onopen = () => {
      delay = 500;
      ask(); // what happened while nobody listened
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
    if (!document.hidden && (socket.readyState !== WebSocket.OPEN || ticks % 4 === 0)) ask();
  }, ASK_EVERY);
  // A phone that slept: its socket may look open and be dead.
  document.addEventListener("visibilitychange", () => document.hidden || ask());
  window.addEventListener("online", ask);
})();
