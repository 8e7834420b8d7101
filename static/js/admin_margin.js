/* What a portion leaves after VAT and its food cost, while these numbers are filled in. Nothing without all of them. */
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const [price, rate, cost] = ["price", "vat_rate", "cost"].map((name) => document.getElementById(`id_${name}`));
  const text = document.getElementById("margin-text")?.textContent;
  if (!price || !rate || !cost || !text) return;
  const { lang } = document.documentElement;
  const money = new Intl.NumberFormat(lang, { style: "currency", currency: cost.dataset.currency });
  const percent = new Intl.NumberFormat(lang, { style: "percent" });
  const note = document.createElement("p");
  note.className = "dish-margin";
  price.closest(".form-row").append(note);

  function show() {
    const usual = rate.value || cost.dataset.rate;
    const net = price.value / (1 + usual / 100);
    const left = net - cost.value;
    const isKnown = price.value > 0 && cost.value !== "" && usual !== "";
    const words = { left: money.format(left), net: money.format(net), share: percent.format(left / net) };
    note.textContent = isKnown ? text.replace(/{(\w+)}/g, (_found, name) => words[name]) : "";
  }

  for (const field of [price, rate, cost]) field.addEventListener("input", show);
  addEventListener("pageshow", show); // with what the browser fills in
});
