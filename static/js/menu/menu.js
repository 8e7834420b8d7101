// The menu: its address, pictures that fail, and a strip of categories.
import "./call.js";
import "./cart.js";
import "./search.js";
import "./sheet.js";
import "./sold_out.js";

const form = document.getElementById("menu");
// Reloading the page, or coming back to it, is not another scan.
const here = new URL(location.href);
here.searchParams.set("from", "cart");
here.searchParams.delete("without"); // a cookie has it from now on
history.replaceState(null, "", here);

// A picture that can't be loaded leaves a plain square.
const hide = (picture) => picture.classList.add("is-broken");
form.addEventListener("error", (event) => event.target.matches("img") && hide(event.target), true);
for (const picture of form.querySelectorAll("img")) if (picture.complete && !picture.naturalWidth) hide(picture);

// When the kitchen opens again, the page can be ordered from.
const closed = document.getElementById("closed");
const pause = closed ? Date.parse(closed.dataset.until) - Date.now() : 0;
if (pause > 0 && pause < 86400000) setTimeout(() => location.reload(), pause + 1000);

// A category that can't be ordered from is folded: its link unfolds it.
const unfold = (hash) => {
  const target = document.getElementById(hash.slice(1));
  const folded = target?.closest("details.category");
  if (folded) folded.open = true;
};
for (const link of document.querySelectorAll(".categories a")) link.addEventListener("click", () => unfold(link.hash));
unfold(location.hash);

// --- the strip of categories, which follows the scroll ---

function followScroll(strip) {
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const links = new Map();
  for (const link of strip.querySelectorAll("a")) links.set(link.hash.slice(1), link);

  let current = null;
  function mark(id) {
    const link = links.get(id);
    if (!link || link === current) return;
    current?.removeAttribute("aria-current");
    link.setAttribute("aria-current", "true");
    current = link;
    const left = link.offsetLeft - (strip.clientWidth - link.offsetWidth) / 2;
    strip.scrollTo({ left, behavior: still.matches ? "auto" : "smooth" });
  }

  // The first category at the top of the window, or the one that was tapped: a short last one never gets there.
  const atTop = new Set();
  let tapped = "";
  const sections = [...document.querySelectorAll(".category")];
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) atTop[isIntersecting ? "add" : "delete"](target);
      mark(tapped || sections.find((each) => atTop.has(each))?.id);
    },
    { rootMargin: "-72px 0px -75% 0px" },
  );
  mark(sections[0]?.id); // what stands above it belongs to no category
  for (const section of sections) watcher.observe(section);
  for (const [id, link] of links) {
    link.addEventListener("click", () => {
      tapped = id;
      mark(id);
    });
  }
  for (const kind of ["wheel", "touchmove", "keydown"]) addEventListener(kind, () => (tapped = ""), { passive: true });
}

const strip = document.querySelector(".categories .strip"); // null with a single category
if (strip) followScroll(strip);
