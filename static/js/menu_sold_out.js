// Shows what sells out while the menu is open, and what is available again.
"use strict";

(() => {
  const form = document.getElementById("menu");
  if (!form) return;

  window.watchSoldOut(form.dataset.soldOut, (soldOut) => {
    for (const button of form.querySelectorAll(".add")) {
      const gone = soldOut.has(button.value);
      const item = button.closest(".item");
      if (item.classList.contains("item-gone") === gone) continue;
      item.classList.toggle("item-gone", gone);
      item.querySelector(".item-sold").hidden = !gone;
      button.disabled = gone;
    }
  });
})();
