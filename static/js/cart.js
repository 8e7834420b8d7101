// The cart: quantities change on the page and are kept on the server; an order is sent once, whatever the network does.
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

  const lines = () => [...form.querySelectorAll(".line:not(.line-gone)")];
  const field = (line, name) => line.querySelector(`[name="${name}"]`);
  const quantity = (line) => Math.min(Math.max(Math.trunc(Number(field(line, "quantity").value)) || 1, 1), 99);
  const entries = () =>
    lines().map((line) => ({
      menuItemId: field(line, "menuItemId").value,
      quantity: quantity(line),
      specialInstructions: field(line, "specialInstructions").value,
    }));

  function say(text) {
    message.textContent = text;
    message.hidden = !text;
  }

  // Sums are made in hundredths: binary fractions would not add up.
  function showTotals() {
    let cents = 0;
    for (const line of lines()) {
      const sum = Math.round(Number(line.dataset.price) * 100) * quantity(line);
      line.querySelector(".line-total").textContent = money.format(sum / 100);
      cents += sum;
    }
    total.textContent = money.format(cents / 100);
    return cents / 100;
  }

  // What the server said of the menu as it is now, for a yes (the button says for how much) or a no.
  function showChanges(items) {
    for (const line of lines()) {
      const now = items.find((item) => item.menuItemId === line.dataset.item);
      if (!now) continue;
      const note = line.querySelector(".line-changed");
      if (!now.available) {
        line.classList.add("line-gone");
        note.textContent = form.dataset.soldOut;
        note.hidden = false;
        for (const element of line.querySelectorAll("input, .stepper, .remove, .note, .line-total")) element.remove();
      } else if (Number(line.dataset.price) !== now.price) {
        const prices = { before: money.format(line.dataset.price), now: money.format(now.price) };
        note.textContent = form.dataset.priceChanged.replace(/\{(\w+)\}/g, (all, name) => prices[name]);
        note.hidden = false;
        line.dataset.price = now.price;
      }
    }
    const sum = money.format(showTotals());
    place.textContent = form.dataset.yes.replace("{total}", sum);
    place.disabled = !lines().length;
  }

  let sending = false;
  let timer = 0;
  let unsaved = false;
  let saving = Promise.resolve();
  function save() {
    clearTimeout(timer);
    unsaved = true;
    timer = setTimeout(keep, 500);
  }

  // One after the other, so that the last change is what stays.
  function keep() {
    clearTimeout(timer);
    saving = saving.then(put);
    return saving;
  }

  async function put() {
    if (!unsaved) return;
    unsaved = false;
    try {
      const answer = await fetch(form.dataset.cart, {
        method: "PUT",
        headers: json,
        keepalive: true, // also while the page is being left
        body: JSON.stringify({ items: entries() }),
      });
      const body = await answer.json();
      say(answer.ok ? "" : body.error);
    } catch {
      if (sending) return;
      unsaved = true;
      say(form.dataset.unsaved);
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
    save();
    if (!lines().length) {
      place.disabled = true;
      keep().then(() => unsaved || location.reload());
    }
  }

  const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

  // The same key and the same body each time: the server answers every repeat with the first one's order.
  async function send() {
    const request = {
      method: "POST",
      headers: { ...json, "Idempotency-Key": form.elements.idempotencyKey.value },
      body: JSON.stringify({ items: entries(), sessionId: form.elements.sessionId.value, expectedTotal: showTotals() }),
    };
    for (let attempt = 0; ; attempt += 1) {
      try {
        const answer = await fetch(form.action, { ...request, signal: AbortSignal.timeout(8000) });
        if (answer.status < 500) return answer;
      } catch {
        // no answer: it may have arrived all the same
      }
      if (attempt === 2) return null;
      await pause(700 * (attempt + 1));
    }
  }

  // While it is not known whether an order arrived, it must not be changed: another body would be another order.
  function lock(on) {
    for (const element of form.querySelectorAll(".lines button, .lines input, .lines textarea")) element.disabled = on;
  }

  async function order() {
    if (sending) return;
    sending = true;
    clearTimeout(timer);
    unsaved = false; // the order says it all; saved after it, its lines would be back in the cart
    const word = place.textContent;
    place.disabled = true;
    place.textContent = form.dataset.sending;
    say("");
    const sent = saving.then(send);
    await saving;
    lock(true);
    const answer = await sent;
    const body = answer ? await answer.json().catch(() => ({})) : {};
    if (answer && answer.ok) {
      location.href = `/orders/${body.orderId}`;
      return;
    }
    sending = false;
    place.disabled = false;
    place.textContent = word;
    if (answer) {
      lock(false);
      if (body.items) showChanges(body.items);
      save();
    }
    say(answer ? body.error || form.dataset.unsure : form.dataset.unsure);
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const button = event.submitter;
    if (button === place) order();
    else if (button && button.name) step(button);
    else keep();
  });
  form.addEventListener("input", () => {
    showTotals();
    save();
  });
  // What was changed a moment ago is on the menu that comes next.
  document.querySelector(".back").addEventListener("click", async (event) => {
    if (!unsaved || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    const target = event.currentTarget.href;
    await Promise.race([keep(), pause(2000)]);
    location.href = target;
  });
  window.addEventListener("pagehide", () => keep());
  // Reached by going back, the page may show what was ordered since: ask for it anew.
  const [visit] = performance.getEntriesByType("navigation");
  const key = `fresh-${form.elements.idempotencyKey.value}`;
  if (visit && visit.type === "back_forward" && !sessionStorage.getItem(key)) {
    sessionStorage.setItem(key, "asked");
    location.reload();
  }
  window.addEventListener("pageshow", (event) => event.persisted && location.reload());
})();
