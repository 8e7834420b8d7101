// A dish's page as a sheet over the menu: it has an address of its own, and the back button closes it.
"use strict";

(() => {
  const sheet = document.getElementById("sheet");
  const menu = document.getElementById("menu");
  if (!menu || !sheet?.showModal || !window.menuCart) return;
  const body = sheet.querySelector(".sheet-body");
  let opened = 0; // counts, so that a late response finds out that it is not wanted any more

  async function read(address) {
    const response = await fetch(address, { headers: { Accept: "text/html" }, signal: AbortSignal.timeout(10000) });
    if (!response.ok) throw new Error(response.status);
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    return page.getElementById("dish");
  }

  // `address`: of a dish's page.
  async function open(address) {
    const number = (opened += 1);
    body.replaceChildren();
    sheet.classList.add("sheet-loading");
    if (!sheet.open) sheet.showModal();
    try {
      const dish = await read(address);
      if (number !== opened) return;
      body.replaceChildren(dish);
      body.scrollTop = 0;
      const script = dish.querySelector("script"); // parsed, and not run
      if (script) import(script.src);
      const form = dish.querySelector(".dish-form");
      window.setUpDish(form);
      form.addEventListener("submit", (event) => send(event, form));
      dish.querySelector(".dish-name").focus({ preventScroll: true });
    } catch {
      if (number !== opened) return;
      window.toast.show(sheet.dataset.failed);
      leave();
    }
    sheet.classList.remove("sheet-loading");
  }

  function close() {
    opened += 1;
    if (sheet.open) sheet.close();
    body.replaceChildren();
  }

  // Closing is going back, so that the next "back" does not open it again.
  function leave() {
    if (history.state?.dish) history.back();
    else close();
  }

  async function send(event, form) {
    if (event.defaultPrevented) return; // too little is chosen
    event.preventDefault();
    const button = form.querySelector(".dish-add");
    if (button.getAttribute("aria-disabled") === "true") return; // a double tap
    button.setAttribute("aria-disabled", "true");
    const refusal = form.querySelector(".dish-refusal");
    refusal.hidden = true;
    const entry = {
      menuItemId: form.elements.menuItemId.value,
      quantity: Number(form.elements.quantity.value),
      specialInstructions: form.elements.specialInstructions.value.trim(),
      options: [...form.querySelectorAll(".group input:checked")].map((box) => box.value),
    };
    try {
      await window.menuCart.send("POST", entry);
      leave();
      return;
    } catch (error) {
      refusal.textContent = error instanceof window.menuCart.Refused ? error.message : form.dataset.failed;
    }
    refusal.hidden = false;
    refusal.scrollIntoView({ block: "center" });
    button.removeAttribute("aria-disabled");
  }

  // From the menu, and from a dish to one that goes well with it.
  function follow(event) {
    const link = event.target.closest("li a[href]");
    if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    history.pushState({ dish: true }, "", link.href);
    open(link.href);
  }

  for (const each of [menu, body]) each.addEventListener("click", follow);
  window.addEventListener("popstate", () => (history.state?.dish ? open(location.href) : close()));
  sheet.addEventListener("cancel", (event) => {
    event.preventDefault();
    leave();
  });
  sheet.addEventListener("click", (event) => {
    if (event.target === sheet || event.target.closest(".sheet-close")) leave();
  });
  // After a reload the address is a page of its own; forward and back between the two load them.
})();
