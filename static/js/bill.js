// The bill: divided by people without another page, and a payment that is taken once, also over a bad network.
import { create } from "./dom.js";
import { enable, enableWhenBack, sendKeyed } from "./keyed_form.js";
import { decimalPoint, moneyOfCents, toCents } from "./money.js";
import "./print.js";
import { counted, fill } from "./words.js";

// --- dividing ---

const divide = document.getElementById("divide");

// In cents: those that are left over go to the first of the people, as the server divides.
function shares(people) {
  const cents = toCents(divide.dataset.due);
  const less = Math.floor(cents / people);
  const more = cents % people;
  return [
    [more, less + 1],
    [people - more, less],
  ].filter(([count]) => count > 0);
}

function line(count, cents) {
  const item = create("li");
  const textContent = fill(counted(divide.dataset, count), { amount: moneyOfCents(cents) });
  item.append(create("span", { textContent }));
  const amount = document.getElementById("amount");
  if (!amount) return item;
  const take = create("a", { className: "take-share", href: "#pay", textContent: divide.dataset.take });
  take.addEventListener("click", () => (amount.value = (cents / 100).toFixed(2).replace(".", decimalPoint())));
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

function showPart() {
  const count = (field) => (field.type === "checkbox" ? Number(field.checked) : Number(field.value));
  const had = [...hadForm.querySelectorAll(".had :is(input, select)")];
  const cents = had.reduce((sum, field) => sum + count(field) * toCents(field.dataset.price), 0);
  document.getElementById("your-part").textContent = fill(divide.dataset.part, { amount: moneyOfCents(cents) });
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

if (roll) addEventListener("beforeprint", fitRoll);

// --- taking a payment, voiding one ---

const forms = [...document.querySelectorAll('form[method="post"]')];

for (const form of forms) {
  form.addEventListener("submit", async (event) => {
    enable(form, false);
    if (form.id !== "pay-form") return;
    event.preventDefault();
    if (!(await sendKeyed(form, ({ id }) => `${form.dataset.next}&payment=${id}`))) enable(form, true);
  });
}

enableWhenBack(forms);
