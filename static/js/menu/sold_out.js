// Shows what sells out while the menu is open, and what is available again.
import { watchSoldOut } from "../sold_out.js";

const form = document.getElementById("menu");
const isClosed = Boolean(document.getElementById("closed"));

watchSoldOut(form.dataset.soldOut, (soldOut) => {
  for (const item of form.querySelectorAll(".item, .favourite")) {
    const gone = soldOut.has(item.id.slice(item.id.indexOf("-") + 1));
    const add = item.querySelector(".add");
    if (!add || item.classList.contains("item-gone") === gone) continue;
    item.classList.toggle("item-gone", gone);
    item.querySelector(".item-sold").hidden = !gone;
    // A link stays one: the dish's own page says the same.
    if (add.matches("button")) add.disabled = gone || isClosed;
  }
});
