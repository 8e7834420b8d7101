/* The dialog with the orders that left this display last, to bring one back. The list is kept in the tab's
   sessionStorage, and so survives a reload. */
(() => {
  "use strict";

  const { byId, t, clone, hourAndMinute, remaining } = window.kitchenText;

  const LENGTH = 20; // orders
  const CLOSE_AFTER = 60_000; // milliseconds without a touch: it covers the tickets
  const MAX_AGE = 4 * 3_600_000; // milliseconds
  const KEY = "kitchen-recall";

  const dialog = byId("recall");
  let recalled = [];
  let timer = 0;
  let shownSignature = "";
  let bringBack = () => {};

  function row(record) {
    const { order, status, leftAt } = record;
    const node = clone("recall-template");
    const table = t("table", { table: order.tableNumber });
    node.querySelector(".recalled-table").textContent = table;
    const when = status === "served" ? "recall-served" : "recall-gone";
    node.querySelector(".recalled-when").textContent = t(when, { time: hourAndMinute(leftAt) });
    const left = order.items.filter((item) => remaining(item) > 0);
    const items = left.map((item) => `${remaining(item)}× ${item.name}`).join(", ");
    node.querySelector(".recalled-items").textContent = items;
    const back = node.querySelector(".recalled-back");
    back.lastElementChild.textContent = table;
    back.addEventListener("click", () => {
      dialog.close();
      bringBack(record);
    });
    return node;
  }

  function render() {
    byId("recall-list").replaceChildren(...recalled.map(row));
    byId("recall-empty").hidden = recalled.length > 0;
  }

  /** `records`: the latest first. */
  function show(records) {
    const signature = records.map((record) => `${record.order.orderId} ${record.status}`).join();
    if (signature === shownSignature) return;
    shownSignature = signature;
    recalled = records;
    save();
    render();
  }

  // --- storage ---

  function save() {
    const records = recalled.map(({ order, status, leftAt }) => ({ order, status, leftAt }));
    try {
      sessionStorage.setItem(KEY, JSON.stringify(records));
    } catch {
      // Full or disabled: the list is lost with the page.
    }
  }

  function load() {
    try {
      const records = JSON.parse(sessionStorage.getItem(KEY)) ?? [];
      return records.filter(({ order, leftAt }) => order.orderId && leftAt > Date.now() - MAX_AGE);
    } catch {
      return [];
    }
  }

  // --- open and close ---

  function closeSoon() {
    clearTimeout(timer);
    timer = setTimeout(() => dialog.close(), CLOSE_AFTER);
  }

  function start(onBack) {
    bringBack = onBack;
    byId("recall-button").addEventListener("click", () => {
      render();
      dialog.showModal();
      closeSoon();
    });
    byId("recall-close").addEventListener("click", () => dialog.close());
    for (const kind of ["pointerdown", "keydown", "scroll"]) dialog.addEventListener(kind, closeSoon, true);
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close()); // its backdrop
  }

  window.kitchenRecall = { LENGTH, start, show, load };
})();
