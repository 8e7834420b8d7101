// The bill: divided by people without another page, and a payment that is taken once, also over a bad network.
"use strict";

(() => {
  // --- dividing ---

  const divide = document.getElementById("divide");

  // In cents: those that are left over go to the first of the people, as the server divides.
  function shares(people) {
    const cents = Math.round(Number(divide.dataset.due) * 100);
    const less = Math.floor(cents / people);
    const more = cents % people;
    return [
      [more, less + 1],
      [people - more, less],
    ].filter(([count]) => count > 0);
  }

  function sentence(count, cents) {
    const words = count === 1 ? divide.dataset.one : divide.dataset.many.replace("#", count);
    return words.replace("{amount}", window.money(cents / 100));
  }

  function line(count, cents) {
    const item = document.createElement("li");
    item.append(Object.assign(document.createElement("span"), { textContent: sentence(count, cents) }));
    const amount = document.getElementById("amount");
    if (!amount) return item;
    const take = Object.assign(document.createElement("a"), {
      className: "take-share",
      href: "#pay",
      textContent: divide.dataset.take,
    });
    const point = (0.5).toLocaleString(document.documentElement.dataset.formats).charAt(1);
    take.addEventListener("click", () => (amount.value = (cents / 100).toFixed(2).replace(".", point)));
    item.append(" ", take);
    return item;
  }

  function show(people) {
    const [fewer, more] = [document.getElementById("fewer"), document.getElementById("more")];
    const most = Number(divide.dataset.most);
    document.getElementById("people").textContent = people;
    fewer.value = Math.max(people - 1, 1);
    more.value = Math.min(people + 1, most);
    fewer.disabled = people <= 1;
    more.disabled = people >= most;
    const lines = people > 1 ? shares(people).map(([count, cents]) => line(count, cents)) : [];
    document.getElementById("shares").replaceChildren(...lines);
  }

  divide?.querySelector(".divide-form").addEventListener("submit", (event) => {
    if (!event.submitter) return;
    event.preventDefault();
    show(Number(event.submitter.value));
  });

  // What a guest ticks stays on this phone.
  const hadForm = document.getElementById("had");
  const had = [...(hadForm?.querySelectorAll(".had :is(input, select)") ?? [])];

  function showPart() {
    const count = (field) => (field.type === "checkbox" ? Number(field.checked) : Number(field.value));
    const cents = had.reduce((sum, field) => sum + count(field) * Math.round(Number(field.dataset.price) * 100), 0);
    const words = divide.dataset.part.replace("{amount}", window.money(cents / 100));
    document.getElementById("your-part").textContent = words;
  }

  if (hadForm) {
    document.getElementById("add-up").hidden = true;
    hadForm.addEventListener("change", showPart);
    showPart();
  }

  // --- on a roll, which is cut where the page ends ---

  const roll = document.getElementById("roll");
  const MILLIMETRE = 96 / 25.4; // in pixels

  /** As long as the bill is on paper, and the margins. */
  function fitRoll() {
    const bill = document.querySelector(".bill");
    const sheets = [...document.querySelectorAll('link[media="print"]')].map((link) => link.sheet);
    bill.style.width = "72mm";
    for (const sheet of sheets) sheet.media.mediaText = "all";
    const length = Math.ceil(bill.getBoundingClientRect().height / MILLIMETRE) + 9;
    for (const sheet of sheets) sheet.media.mediaText = "print";
    bill.style.width = "";
    // A page that is wider than long would be turned: 81 mm at least. The last rule of several is the one in force.
    roll.sheet.insertRule(`@page { size: 80mm ${Math.max(length, 81)}mm }`, roll.sheet.cssRules.length);
  }

  if (roll) window.addEventListener("beforeprint", fitRoll);

  // --- taking a payment, voiding one ---

  const forms = [...document.querySelectorAll('form[method="post"]')];
  const enable = (form, enabled) => {
    for (const button of form.querySelectorAll("button")) button.disabled = !enabled;
  };

  // The page stays open until there is a response: opened again it would have another key.
  async function send(form) {
    const unsure = document.getElementById("unsure");
    unsure.hidden = true;
    try {
      const response = await fetch(form.action, {
        method: "POST",
        headers: { Accept: "application/json" },
        body: new URLSearchParams(new FormData(form)),
        signal: AbortSignal.timeout(15_000),
      });
      if (response.status >= 500) throw new Error(response.status);
      if (!response.ok) form.submit(); // refused: shows the page that says why
      else location.replace(`${form.dataset.next}&payment=${(await response.json()).id}`);
    } catch {
      unsure.textContent = form.dataset.unsure;
      unsure.hidden = false;
      enable(form, true);
    }
  }

  for (const form of forms) {
    form.addEventListener("submit", (event) => {
      enable(form, false);
      if (form.id !== "pay-form") return;
      event.preventDefault();
      send(form);
    });
  }

  // Back on a page from the browser's cache the buttons work again.
  window.addEventListener("pageshow", () => {
    for (const form of forms) enable(form, true);
  });
})();
