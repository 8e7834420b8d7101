/* On a phone, where columns stand one below the other: which of the tabs above leads to the one that is being read.
   On a tablet held upright: whether what is ready is out of sight, and a link leads there. */
import { markCurrent } from "../dom.js";

const bar = document.querySelector(".jump");
const links = [...bar.querySelectorAll("a")];
const columns = links.map((link) => document.querySelector(link.hash).closest(".column"));

const HEAD = 110; // pixels: a column's heading, and the head of its first ticket

function mark() {
  if (!bar.offsetHeight) return;
  const last = columns.at(-1);
  bar.classList.toggle("is-below", last.dataset.empty === "false" && last.getBoundingClientRect().top > innerHeight - HEAD);
  const line = bar.getBoundingClientRect().bottom + innerHeight / 4;
  const isAtEnd = scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
  const begun = columns.filter((column) => column.getBoundingClientRect().top <= line);
  const current = isAtEnd ? columns.at(-1) : (begun.at(-1) ?? columns[0]);
  markCurrent(links, links[columns.indexOf(current)]);
}

let frame = 0;
const markSoon = () => {
  frame ||= requestAnimationFrame(() => {
    frame = 0;
    mark();
  });
};

addEventListener("scroll", markSoon, { passive: true });
// Tickets come and go without a scroll.
const sizes = new ResizeObserver(markSoon);
columns.forEach((column) => sizes.observe(column));
sizes.observe(document.body);
