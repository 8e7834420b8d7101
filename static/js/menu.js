// The menu: Add without leaving the page, and a category bar that follows the scroll.
"use strict";

(() => {
  const form = document.getElementById("menu");
  if (!form) return;
  const bar = document.getElementById("cart-bar");
  const count = document.getElementById("cart-count");
  const total = document.getElementById("cart-total");
  const announcement = document.getElementById("announcement");
  const toast = document.getElementById("toast");
  const page = document.documentElement;
  const money = new Intl.NumberFormat(page.lang, { style: "currency", currency: page.dataset.currency });

  let toastTimer = 0;
  function showError(text) {
    toast.textContent = text;
    toast.hidden = false;
    clearTimeout(toastTimer);
    toastTimer = setTimeout(() => (toast.hidden = true), 6000);
  }

  function showCount(button, quantity) {
    button.querySelector(".add-count").textContent = quantity || "";
  }

  function show(cart) {
    bar.hidden = cart.count === 0;
    count.textContent = cart.count === 1 ? count.dataset.one : count.dataset.many.replace("#", cart.count);
    total.textContent = money.format(cart.total);
    const quantities = new Map();
    for (const item of cart.items) {
      quantities.set(item.menuItemId, (quantities.get(item.menuItemId) || 0) + item.quantity);
    }
    for (const item of form.querySelectorAll(".item:has(.add)")) {
      showCount(item.querySelector(".add"), quantities.get(item.id.slice("item-".length)));
    }
    announcement.textContent = `${count.textContent}, ${total.textContent}`;
  }

  window.menuPage = { show, showError }; // for the sheet

  // Taps are sent one after the other, so that the last response is the newest state of the cart.
  let queue = Promise.resolve();
  let waiting = 0;
  let newest = null; // the cart in the last response
  class Refused extends Error {}

  async function add(button) {
    const response = await fetch(form.action, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify({ menuItemId: button.value }),
      signal: AbortSignal.timeout(10000),
    });
    const body = await response.json();
    if (!response.ok) throw new Refused(body.error);
    newest = body;
  }

  form.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (!button) return;
    event.preventDefault();
    toast.hidden = true;
    const badge = button.querySelector(".add-count");
    showCount(button, Number(badge.textContent || 0) + 1);
    waiting += 1;
    queue = queue
      .then(() => add(button))
      .catch((error) => {
        showCount(button, Math.max(Number(badge.textContent) - 1, 0));
        showError(error instanceof Refused ? error.message : form.dataset.failed);
      })
      .then(() => {
        waiting -= 1;
        if (waiting === 0 && newest) show(newest);
      });
  });

  // Reloading the page, or coming back to it, is not another scan.
  const here = new URL(location.href);
  here.searchParams.set("from", "cart");
  here.searchParams.delete("without"); // a cookie has it from now on
  history.replaceState(null, "", here);

  // A page from the back/forward cache may be older than the cart.
  const [visit] = performance.getEntriesByType("navigation");
  window.addEventListener("pageshow", (event) => {
    if (!event.persisted && visit?.type !== "back_forward") return;
    fetch(form.action, { headers: { Accept: "application/json" } })
      .then((response) => (response.ok ? response.json().then(show) : null))
      .catch(() => null);
  });

  // A picture that can't be loaded leaves a plain square, also where the style sheet can't cover the browser's sign.
  const hide = (picture) => picture.classList.add("is-broken");
  form.addEventListener("error", (event) => event.target.matches("img") && hide(event.target), true);
  for (const picture of form.querySelectorAll("img")) if (picture.complete && !picture.naturalWidth) hide(picture);

  // When the kitchen opens again, the page can be ordered from.
  const closed = document.getElementById("closed");
  const pause = closed ? Date.parse(closed.dataset.until) - Date.now() : 0;
  if (pause > 0 && pause < 86400000) setTimeout(() => location.reload(), pause + 1000);

  // A category that can't be ordered from is folded: its link unfolds it.
  const unfold = (hash) => {
    const target = document.getElementById(hash.slice(1));
    const folded = target?.closest("details.category");
    if (folded) folded.open = true;
  };
  for (const link of document.querySelectorAll(".categories a")) link.addEventListener("click", () => unfold(link.hash));
  unfold(location.hash);

  const links = new Map();
  for (const link of document.querySelectorAll(".categories a")) links.set(link.hash.slice(1), link);
  const strip = document.querySelector(".categories ul");
  if (!strip || !("IntersectionObserver" in window)) return;
  const watcher = new IntersectionObserver(
    (entries) => {
      const entry = entries.find((each) => each.isIntersecting);
      if (!entry) return;
      for (const each of links.values()) each.removeAttribute("aria-current");
      const link = links.get(entry.target.id);
      if (!link) return;
      link.setAttribute("aria-current", "true");
      strip.scrollTo({ left: link.offsetLeft - strip.offsetLeft - 40 });
    },
    { rootMargin: "-64px 0px -70% 0px" },
  );
  for (const section of document.querySelectorAll(".category")) watcher.observe(section);
})();
