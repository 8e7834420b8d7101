// A report on a screen.
import "./print.js";

// Without this script every bar of a plot is a stop of the Tab key; with it, a plot is one, and arrows lead on.
for (const plot of document.querySelectorAll(".columns")) {
  const points = [...plot.querySelectorAll(".point")];
  const choose = (chosen) => {
    for (const point of points) point.tabIndex = point === chosen ? 0 : -1;
  };
  choose(points.at(-1));
  plot.addEventListener("focusin", (event) => choose(event.target.closest(".point")));
  plot.addEventListener("keydown", (event) => {
    const place = points.indexOf(event.target);
    const places = { ArrowLeft: place - 1, ArrowRight: place + 1, Home: 0, End: points.length - 1 };
    const next = points[places[event.key]];
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
}

// One panel at a time, closed by Escape or by a click beside it.
const panels = [...document.querySelectorAll(".choose")];
const close = (except) => {
  for (const panel of panels) if (panel !== except) panel.open = false;
};
document.addEventListener("click", (event) => close(event.target.closest(".choose")));
document.addEventListener("keydown", (event) => {
  const open = panels.find((panel) => panel.open);
  if (event.key !== "Escape" || !open) return;
  close();
  open.querySelector("summary").focus();
});

// On a phone the notes are folded; where there is room they are open.
const notes = document.querySelector(".report-notes");
const wide = matchMedia("(min-width: 48rem)");
const fold = () => {
  if (notes) notes.open = wide.matches;
};
fold();
wide.addEventListener("change", fold);

// On a phone the strip of reports is wider than the page: it begins where we are, also when the phone is turned.
const here = document.querySelector(".report-nav [aria-current]");
const reach = () => here?.scrollIntoView({ inline: "center", block: "nearest" });
reach();
matchMedia("(max-width: 47.99rem)").addEventListener("change", reach);
