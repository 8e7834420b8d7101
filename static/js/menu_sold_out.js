// What sells out while the menu is open is shown as such within some seconds, and what is back can be ordered again.
"use strict";

(() => {
  const form = document.getElementById("menu");
  if (!form) return;
  const EVERY = 8000; // milliseconds

  function mark(soldOut) {
    for (const button of form.querySelectorAll(".add")) {
      const gone = soldOut.has(button.value);
      const item = button.closest(".item");
      if (item.classList.contains("item-gone") === gone) continue;
      item.classList.toggle("item-gone", gone);
      item.querySelector(".item-sold").hidden = !gone;
      button.disabled = gone;
    }
  }

  async function ask() {
    if (document.hidden) return;
    try {
      const answer = await fetch(form.dataset.soldOut, {
        headers: { Accept: "application/json" },
        signal: AbortSignal.timeout(EVERY),
      });
      if (answer.ok) mark(new Set((await answer.json()).soldOut));
    } catch {
      // no connection at the moment: the server has the last word when something is ordered
    }
  }

  // Not all phones of a full house at the same instant.
  setTimeout(() => setInterval(ask, EVERY), Math.random() * EVERY);
  document.addEventListener("visibilitychange", ask);
  window.addEventListener("pageshow", (event) => event.persisted && ask());
})();
