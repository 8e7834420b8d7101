// The bill: what a guest pays, added up, and a payment that is taken once, also over a bad network.
import { enable, enableWhenBack, sendKeyed } from "./keyed_form.js";
import { decimalPoint, decimals, money } from "./money.js";
import "./print.js";
import "./unfold.js";

// --- a guest's part ---

const mine = document.getElementById("mine");

/** Of what an entry comes to: all, or what is chosen beside it, such as 1/3. */
function part(box) {
  const size = mine.elements[`much-${box.value}`];
  const [over, under = 1] = (size?.selectedOptions[0]?.dataset.share ?? "1").split("/");
  return (box.dataset.total * over) / under;
}

mine?.addEventListener("change", ({ target }) => {
  // Who chooses how much of a dish pays for it.
  if (target.localName === "select") mine.querySelector(`[value="${target.name.slice(5)}"]`).checked = true;
  const sum = [...mine.querySelectorAll("[name=item]:checked")].reduce((all, box) => all + part(box), 0);
  document.getElementById("mine-sum").textContent = money(sum);
});

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

// --- taking a payment, and other forms ---

const tendered = document.getElementById("tendered");

// Notes that are handed over add up.
document.querySelector(".pay-tendered")?.addEventListener("click", ({ target }) => {
  if (!target.dataset.note) return;
  const sum = Number(tendered.value.replace(",", ".")) + Number(target.dataset.note);
  tendered.value = String(Number(sum.toFixed(decimals)) || target.dataset.note).replace(".", decimalPoint());
});

const forms = [...document.querySelectorAll('form[method="post"]')];

for (const form of forms) {
  form.addEventListener("submit", async (event) => {
    setTimeout(() => enable(form, false)); // after the browser has read which button sends it
    if (form.id !== "pay-form") return;
    event.preventDefault();
    if (form.elements.method.value !== "cash") tendered.value = "";
    if (!(await sendKeyed(form, ({ id }) => `${form.dataset.next}&payment=${id}#pay`))) enable(form, true);
  });
}

enableWhenBack(forms);
