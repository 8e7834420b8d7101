/* The drawer with what left this display last, to bring an order back. It outlives a reload of the
   page, in this tab. */
(() => {
  "use strict";

  const { byId, word, clone, hourAndMinute } = window.kitchenWords;

  const LENGTH = 20; // orders
  const CLOSES_AFTER = 60_000; // it must not stand before the tickets for good
  const KEPT_FOR = 4 * 3_600_000;
  const KEY = "kitchen-recall";

  const drawer = byId("recall");
  let left = [];
  let timer = 0;
  let shows = "";
  let bringBack = () => {};

  function row(record) {
    const { order, status, leftAt } = record;
    const node = clone("recall-template");
    const table = word("table", { table: order.tableNumber });
    node.querySelector(".recalled-table").textContent = table;
    const when = status === "served" ? "recall-served" : "recall-gone";
    node.querySelector(".recalled-when").textContent = word(when, { time: hourAndMinute(leftAt) });
    const items = order.items.map((item) => `${item.quantity}× ${item.name}`).join(", ");
    node.querySelector(".recalled-items").textContent = items;
    const back = node.querySelector(".recalled-back");
    back.lastElementChild.textContent = table;
    back.addEventListener("click", () => {
      drawer.close();
      bringBack(record);
    });
    return node;
  }

  function draw() {
    byId("recall-list").replaceChildren(...left.map(row));
    byId("recall-empty").hidden = left.length > 0;
  }

  /** `records` that left, the latest first. */
  function show(records) {
    const signature = records.map((record) => `${record.order.orderId} ${record.status}`).join();
    if (signature === shows) return;
    shows = signature;
    left = records;
    keep();
    draw();
  }

  // --- in the memory of the tab ---

  function keep() {
    const kept = left.map(({ order, status, leftAt }) => ({ order, status, leftAt }));
    try {
      sessionStorage.setItem(KEY, JSON.stringify(kept));
    } catch {
      // Full or forbidden: then it is forgotten with the page.
    }
  }

  function ofLastPage() {
    try {
      const kept = JSON.parse(sessionStorage.getItem(KEY)) ?? [];
      return kept.filter(({ order, leftAt }) => order.orderId && leftAt > Date.now() - KEPT_FOR);
    } catch {
      return [];
    }
  }

  // --- open and close ---

  function closeSoon() {
    clearTimeout(timer);
    timer = setTimeout(() => drawer.close(), CLOSES_AFTER);
  }

  function start(onBack) {
    bringBack = onBack;
    byId("recall-button").addEventListener("click", () => {
      draw();
      drawer.showModal();
      closeSoon();
    });
    byId("recall-close").addEventListener("click", () => drawer.close());
    for (const kind of ["pointerdown", "keydown", "scroll"]) drawer.addEventListener(kind, closeSoon, true);
    drawer.addEventListener("click", (event) => event.target === drawer && drawer.close()); // its backdrop
  }

  window.kitchenRecall = { LENGTH, start, show, ofLastPage };
})();
