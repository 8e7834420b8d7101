// The floor, or a table's page: kept up to date, with its forms, and with what is kept for the next visit.
import { markCurrent } from "../dom.js";
import { recall, remember } from "../storage.js";
import "../till/camera.js";
import "./forms.js";
import { read } from "./live.js";

// --- the section, kept for the next visit ---

const SECTION = "floor-section";

function keepSection() {
  const nav = document.getElementById("sections");
  if (!nav || location.pathname !== "/floor") return;
  // Along the row alone: the page stays at its top, where the calls are.
  const current = nav.querySelector("[aria-current]");
  if (current) nav.scrollLeft += current.getBoundingClientRect().left - nav.clientWidth / 2;
  const kept = recall(SECTION);
  const link = kept && [...nav.querySelectorAll("a")].find((each) => each.dataset.section === kept);
  if (!location.search && link) {
    history.replaceState(null, "", link.href);
    read();
  }
  document.addEventListener("click", (event) => {
    const chosen = event.target.closest?.("a[data-section]");
    if (chosen) remember(SECTION, chosen.dataset.section);
  });
}

// --- the plan or the list, kept on this device ---

const YEAR = 31_536_000; // seconds

document.addEventListener("click", (event) => {
  const chosen = event.target.closest?.("a[data-view]");
  if (!chosen || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault(); // the page stays: a new one would have no sound until it is touched
  const { view } = chosen.dataset;
  document.cookie = `floorView=${view}; path=/floor; max-age=${YEAR}; samesite=lax`;
  document.getElementById("floor").dataset.view = view;
  markCurrent(document.querySelectorAll("a[data-view]"), chosen);
  const address = new URL(location);
  address.searchParams.delete("view");
  history.replaceState(null, "", address);
});

keepSection();
