// The cart: quantities change on the page and are saved on the server; an order is placed once, also over a bad network.
"use strict";

(() => {
  const form = document.getElementById("cart");
  if (!form) return;
  const page = document.documentElement;
  const money = new Intl.NumberFormat(page.lang, { style: "currency", currency: page.dataset.currency });
  const place = document.getElementById("place");
  const message = document.getElementById("cart-message");
  const total = document.getElementById("total");
  const json = { "Content-Type": "application/json", Accept: "application/json" };

  const allLines = () => [...form.querySelectorAll(".line[data-item]")];
  const lines = () => allLines().filter((line) => !line.classList.contains("line-gone"));
  const field = (line, name) => line.querySelector(`[name="${name}"]`);
  const quantity = (line) => Math.min(Math.max(Math.trunc(Number(field(line, "quantity").value)) || 1, 1), 99);
  const entry = (line) => ({
    menuItemId: line.dataset.item,
    quantity: quantity(line),
    specialInstructions: field(line, "specialInstructions").value,
  });

  function showMessage(text) {
    message.textContent = text;
    message.hidden = !text;
  }

  // --- what the page shows ---

  let sending = false; // an order
  let locked = false; // an order was sent, and it is not known whether it arrived
  let confirming = "confirming" in form.dataset; // the menu has changed: the button names the new total

  // Computed in cents, because binary fractions would not add up.
  function showTotals() {
    let cents = 0;
    for (const line of lines()) {
      const sum = Math.round(Number(line.dataset.price) * 100) * quantity(line);
      line.querySelector(".line-total").textContent = money.format(sum / 100);
      cents += sum;
    }
    total.textContent = money.format(cents / 100);
    if (sending) return cents / 100;
    if (confirming) place.textContent = form.dataset.confirm.replace("{total}", total.textContent);
    place.disabled = !lines().length;
    return cents / 100;
  }

  function showNote(line, text) {
    const note = line.querySelector(".line-changed");
    note.textContent = text;
    note.hidden = !text;
  }

  function setSoldOut(line, gone) {
    if (line.classList.contains("line-gone") === gone) return;
    line.classList.toggle("line-gone", gone);
    showNote(line, gone ? form.dataset.soldOut : "");
  }

  // `items`: the menu as it is now, from the response to a refused order.
  function showChanges(items) {
    for (const line of lines()) {
      const now = items.find((item) => item.menuItemId === line.dataset.item);
      if (!now) continue;
      setSoldOut(line, !now.available);
      if (now.available && Number(line.dataset.price) !== now.price) {
        const prices = { before: money.format(line.dataset.price), now: money.format(now.price) };
        showNote(line, form.dataset.priceChanged.replace(/\{(\w+)\}/g, (all, name) => prices[name]));
        line.dataset.price = now.price;
      }
    }
    confirming = true;
    showTotals();
  }

  // --- saving the cart ---

  let timer = 0;
  let unsaved = false;
  let saving = Promise.resolve();

  function saveSoon() {
    clearTimeout(timer);
    unsaved = true;
    timer = setTimeout(save, 500);
  }

  // One request after the other, so that the last change wins.
  function save() {
    clearTimeout(timer);
    saving = saving.then(put);
    return saving;
  }

  async function put() {
    if (!unsaved) return;
    unsaved = false;
    try {
      const response = await fetch(form.dataset.cart, {
        method: "PUT",
        headers: json,
        keepalive: true, // also while the page is being left
        body: JSON.stringify({ items: allLines().map(entry) }),
      });
      const body = await response.json();
      showMessage(response.ok ? "" : body.error);
    } catch {
      if (sending) return;
      unsaved = true;
      showMessage(form.dataset.unsaved);
    }
  }

  function step(button) {
    const line = button.closest(".line");
    if (button.name === "remove") {
      line.remove();
    } else {
      field(line, "quantity").value = Math.min(Math.max(quantity(line) + (button.name === "more" ? 1 : -1), 1), 99);
    }
    showTotals();
    saveSoon();
    if (!allLines().length) save().then(() => unsaved || location.reload());
  }

  // --- placing the order ---

  const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

  // Every attempt has the same key and body, so the server stores one order.
  async function send() {
    const request = {
      method: "POST",
      headers: { ...json, "Idempotency-Key": form.elements.idempotencyKey.value },
      body: JSON.stringify({
        items: lines().map(entry),
        sessionId: form.elements.sessionId.value,
        expectedTotal: showTotals(),
      }),
    };
    for (let attempt = 0; ; attempt += 1) {
      try {
        const response = await fetch(form.action, { ...request, signal: AbortSignal.timeout(8000) });
        if (response.status < 500) return response;
      } catch {
        // no response: the order may have arrived all the same
      }
      if (attempt === 2) return null;
      await pause(700 * (attempt + 1));
    }
  }

  // Until it is known whether the order arrived it must not change: another body would be another order.
  function lock(on) {
    locked = on;
    for (const element of form.querySelectorAll(".lines button, .lines input, .lines textarea")) element.disabled = on;
  }

  async function order() {
    if (sending) return;
    sending = true;
    clearTimeout(timer);
    unsaved = false; // saved after the order, its lines would be back in the cart
    const label = place.textContent;
    place.disabled = true;
    place.textContent = form.dataset.sending;
    showMessage("");
    const sent = saving.then(send);
    await saving;
    lock(true);
    const response = await sent;
    const body = response ? await response.json().catch(() => ({})) : {};
    if (response && response.ok) {
      location.href = `/orders/${body.orderId}`;
      return;
    }
    sending = false;
    place.disabled = false;
    place.textContent = label;
    if (response) {
      lock(false);
      if (body.items) showChanges(body.items);
      saveSoon();
    }
    showMessage(body.error || form.dataset.unsure);
  }

  // --- events ---

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const button = event.submitter;
    if (button === place) order();
    else if (button && button.name) step(button);
    else save();
  });
  form.addEventListener("input", () => {
    showTotals();
    saveSoon();
  });
  // Save before the menu is shown, so that it has the change.
  document.querySelector(".back").addEventListener("click", async (event) => {
    if (!unsaved || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    const target = event.currentTarget.href;
    await Promise.race([save(), pause(2000)]);
    location.href = target;
  });
  window.addEventListener("pagehide", () => save());
  window.addEventListener("online", () => save());
  window.watchSoldOut(form.dataset.soldOutUrl, (soldOut) => {
    if (sending || locked) return;
    for (const line of allLines()) setSoldOut(line, soldOut.has(line.dataset.item));
    showTotals();
  });
  // Reached by going back, the page may show what has been ordered since: load it again.
  const [visit] = performance.getEntriesByType("navigation");
  const key = `reloaded-${form.elements.idempotencyKey.value}`;
  if (visit && visit.type === "back_forward" && !sessionStorage.getItem(key)) {
    sessionStorage.setItem(key, "yes");
    location.reload();
  }
  window.addEventListener("pageshow", (event) => event.persisted && location.reload());
})();
