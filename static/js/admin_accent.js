// The two fields of the accent colour agree, and the page takes the colour at once.
const SHOWN_AFTER = 150; // milliseconds

for (const choice of document.querySelectorAll(".accent-choice")) {
  const [text, chosen] = choice.querySelectorAll("input:not([type=hidden])");
  const usual = chosen.dataset.usual;
  const sheet = document.querySelector('link[href*="/accent/"]') ?? document.createElement("link");
  const swatches = choice.parentElement.querySelector(".accent-swatches");
  let waiting;

  function show() {
    const colour = text.value.trim().toLowerCase();
    for (const each of swatches.children) each.ariaPressed = String(each.dataset.colour === (colour || usual));
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      if (!/^#[0-9a-f]{6}$/.test(colour)) return sheet.remove();
      sheet.rel = "stylesheet";
      sheet.href = `/accent/${colour.slice(1)}.css`;
      if (!sheet.isConnected) document.head.append(sheet);
    }, SHOWN_AFTER);
  }

  swatches.hidden = false;
  show();
  swatches.addEventListener("click", (event) => {
    const { colour } = event.target.closest("button")?.dataset ?? {};
    if (!colour) return;
    text.value = chosen.value = colour;
    show();
  });
  chosen.addEventListener("input", () => {
    text.value = chosen.value;
    show();
  });
  text.addEventListener("input", () => {
    const colour = text.value.trim().toLowerCase();
    if (/^#[0-9a-f]{6}$/.test(colour)) chosen.value = colour;
    if (!colour) chosen.value = usual;
    show();
  });
}
