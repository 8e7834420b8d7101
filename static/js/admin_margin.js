/* What a portion leaves after VAT and its food cost, while these numbers are filled in. Nothing without all of them. */
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const [price, rate, cost] = ["price", "vat_rate", "cost"].map((name) => document.getElementById(`id_${name}`));
  const text = document.getElementById("margin-text")?.textContent;
  if (!price || !rate || !cost || !text) return;
  const { formats } = document.documentElement.dataset;
  const money = new Intl.NumberFormat(formats, { style: "currency", currency: cost.dataset.currency });
  const percent = new Intl.NumberFormat(formats, { style: "percent" });
  const typed = (field) => field.value.trim().replace(",", ".");
  const note = document.createElement("p");
  note.className = "dish-margin";
  price.closest(".form-row").append(note);

  function show() {
    const usual = typed(rate) || cost.dataset.rate;
    const net = typed(price) / (1 + usual / 100);
    const left = net - typed(cost);
    const isKnown = typed(price) > 0 && typed(cost) !== "" && usual !== "" && !Number.isNaN(left);
    const words = { left: money.format(left), net: money.format(net), share: percent.format(left / net) };
    note.textContent = isKnown ? text.replace(/{(\w+)}/g, (_found, name) => words[name]) : "";
  }

  for (const field of [price, rate, cost]) field.addEventListener("input", show);
  addEventListener("pageshow", show); // with what the browser fills in
});
