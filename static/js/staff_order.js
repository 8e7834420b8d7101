// Staff take an order: search, a tap for one more, and an order that is sent once, also over a bad network.
"use strict";

(() => {
  const form = document.getElementById("order");
  if (!form) return;
  const page = document.documentElement;
  const money = new Intl.NumberFormat(page.lang, { style: "currency", currency: page.dataset.currency });
  const most = Number(form.dataset.most);
  const field = document.getElementById("search-field");
  const box = document.getElementById("search");
  const found = document.getElementById("found");
  const count = document.getElementById("count");
  const total = document.getElementById("total");
  const chosen = document.getElementById("chosen");
  const send = document.getElementById("send");
  const message = document.getElementById("message");
  const words = send.textContent;

  // Without accents: "creme" finds "Crème".
  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const dishes = [...form.querySelectorAll(".dish")].map((element) => ({
    element,
    text: plain(element.querySelector(".dish-name").textContent),
    cents: Math.round(Number(element.dataset.price) * 100),
    quantity: element.querySelector('[name^="quantity-"]'),
    note: element.querySelector('[name^="note-"]'),
  }));
  const categories = [...form.querySelectorAll(".category")];
  const quantityOf = (dish) => Math.min(Math.max(Math.trunc(Number(dish.quantity.value)) || 0, 0), most);
  const isGone = (dish) => dish.element.classList.contains("dish-gone");

  // --- which dishes are shown ---

  function show() {
    const parts = plain(field.value).split(/\s+/).filter(Boolean);
    const onlyChosen = chosen.getAttribute("aria-pressed") === "true";
    let shown = 0;
    for (const dish of dishes) {
      const fits = onlyChosen ? quantityOf(dish) > 0 : parts.every((part) => dish.text.includes(part));
      dish.element.hidden = !fits;
      shown += fits;
    }
    for (const category of categories) category.hidden = !category.querySelector(".dish:not([hidden])");
    found.textContent = shown ? "" : box.dataset.none;
  }

  function press(pressed) {
    chosen.setAttribute("aria-pressed", pressed);
    if (pressed) field.value = "";
    show();
  }

  field.addEventListener("input", () => press(false));
  field.addEventListener("focus", () => field.select()); // the next dish is typed over the last one
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault(); // must not send the order
    field.blur();
  });
  chosen.addEventListener("click", () => press(chosen.getAttribute("aria-pressed") !== "true"));

  // --- quantities ---

  let sent = false;

  function showTotal() {
    let items = 0;
    let cents = 0;
    for (const dish of dishes) {
      const quantity = isGone(dish) ? 0 : quantityOf(dish);
      dish.element.classList.toggle("dish-chosen", quantity > 0);
      items += quantity;
      cents += quantity * dish.cents;
    }
    count.textContent = items === 1 ? count.dataset.one : count.dataset.many.replace("#", items);
    total.textContent = items ? money.format(cents / 100) : "";
    chosen.disabled = !items;
    send.disabled = !items;
    return items;
  }

  function step(dish, by) {
    dish.quantity.value = Math.min(Math.max(quantityOf(dish) + by, 0), most);
    showTotal();
  }

  for (const dish of dishes) {
    dish.element.querySelector(".fewer").addEventListener("click", () => step(dish, -1));
    dish.element.querySelector(".more").addEventListener("click", () => step(dish, 1));
    dish.element.querySelector(".dish-text").addEventListener("click", () => isGone(dish) || step(dish, 1));
    dish.quantity.addEventListener("focus", () => dish.quantity.select());
    dish.quantity.addEventListener("input", showTotal);
    for (const input of [dish.quantity, dish.note]) {
      input.addEventListener("keydown", (event) => {
        if (event.key !== "Enter") return;
        event.preventDefault(); // a half-written order must not be sent
        input.blur();
      });
    }
  }

  window.watchSoldOut(form.dataset.soldOut, (soldOut) => {
    for (const dish of dishes) {
      const gone = soldOut.has(dish.element.dataset.item);
      dish.element.classList.toggle("dish-gone", gone);
      dish.element.querySelector(".dish-sold").hidden = !gone;
    }
    showTotal();
  });

  // --- sending ---

  function showMessage(text) {
    message.textContent = text;
    message.hidden = !text;
  }

  // Of a menu of hundreds, only what is ordered is sent.
  function setSent(whole) {
    for (const dish of dishes) {
      const left = !whole && (isGone(dish) || !quantityOf(dish));
      dish.quantity.disabled = dish.note.disabled = left;
    }
  }

  function setSending(sending) {
    send.disabled = sending;
    send.textContent = sending ? form.dataset.sending : words;
  }

  // The page stays open until there is a response: opened again it would have another key, and no order.
  async function order() {
    try {
      const response = await fetch(form.action, {
        method: "POST",
        headers: { Accept: "application/json" },
        body: new URLSearchParams(new FormData(form)),
        signal: AbortSignal.timeout(15_000),
      });
      if (response.status === 401) return showMessage(form.dataset.signedOut);
      if (response.status >= 500 || response.status === 429) throw new Error(response.status);
      sent = true;
      if (response.ok) location.replace(form.dataset.next);
      else form.submit(); // refused: shows the page that says why
    } catch {
      showMessage(form.dataset.unsure);
    } finally {
      if (!sent) {
        setSent(true);
        setSending(false);
      }
    }
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    showMessage("");
    setSent(false);
    setSending(true);
    order();
  });

  // Leaving by mistake with an order half taken.
  window.addEventListener("beforeunload", (event) => {
    if (!sent && showTotal()) event.preventDefault();
  });

  // Back on a page from the browser's cache.
  window.addEventListener("pageshow", () => {
    sent = false;
    setSent(true);
    setSending(false);
    showTotal();
  });
  show();
})();
