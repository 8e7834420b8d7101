// The member's card: a new tier is celebrated once, and how to keep the card on the home screen.
import { create } from "./dom.js";
import "./send_once.js";
import { recall, remember } from "./storage.js";

const TIERS = ["bronze", "silver", "gold", "platinum"];
const PIECES = 32;

// --- a tier that was reached since the card was last seen here ---

const celebration = document.getElementById("celebration");
const { member, tier, words } = celebration.dataset;
const key = `tier-seen-${member}`;
const before = recall(key);
remember(key, tier);

if (before && TIERS.indexOf(tier) > TIERS.indexOf(before)) {
  celebration.append(create("p", { className: "celebration", textContent: words }));
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) {
    const confetti = create("div", { className: "confetti" });
    confetti.setAttribute("aria-hidden", "true");
    for (let each = 0; each < PIECES; each += 1) {
      const piece = create("i");
      piece.style.setProperty("--at", `${(each * 37) % 100}%`);
      piece.style.setProperty("--wait", `${each * 20}ms`); // the last one ends last
      confetti.append(piece);
    }
    celebration.append(confetti);
    confetti.lastElementChild.addEventListener("animationend", () => confetti.remove());
  }
}

// --- the home screen ---

const install = document.getElementById("install");
const button = install.querySelector("[data-for=prompt]");
let prompt = null;

function offer(how) {
  if (recall("card-install") === "no" || matchMedia("(display-mode: standalone)").matches) return;
  for (const each of install.querySelectorAll("[data-for]")) each.hidden = each.dataset.for !== how;
  install.hidden = false;
}
function offerNoMore() {
  install.hidden = true;
  remember("card-install", "no");
}

addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault(); // the page asks, and only where it stands
  prompt = event;
  offer("prompt");
});
button.addEventListener("click", async () => {
  await prompt.prompt();
  offerNoMore(); // whatever was answered
});
install.querySelector(".install-no").addEventListener("click", offerNoMore);
addEventListener("appinstalled", offerNoMore);
if (navigator.standalone === false) offer("share"); // only browsers of iPhones and iPads have it
else if (matchMedia("(pointer: coarse)").matches) offer("menu"); // until the browser says that it can ask
