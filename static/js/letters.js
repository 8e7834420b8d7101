// How much is given stands in the messages as it is typed. Without JavaScript a button puts it in.
import "./copy.js";
import "./reports.js";

const written = (link) => new URL(link.href).searchParams.get("body");
const mails = [...document.querySelectorAll('a[href^="mailto:"]')];

for (const form of document.querySelectorAll(".letter-amount")) {
  const words = form.closest(".letter").querySelector(".letter-words");
  const mine = mails.filter((link) => written(link) === words.textContent);
  const field = form.querySelector('[type="number"]');
  form.querySelector("button").hidden = true;
  field.addEventListener("input", () => {
    if (!field.validity.valid) return;
    words.firstElementChild.textContent = field.value;
    const body = `body=${encodeURIComponent(words.textContent)}`;
    for (const link of mine) link.href = link.href.replace(/body=.*/, body);
  });
}

// Whoever opens the mail, or copies the addresses, is asked to mark whom they wrote to.
for (const letter of document.querySelectorAll(".letter:has(.letter-ask)")) {
  const ask = letter.querySelector(".letter-ask");
  for (const each of letter.querySelectorAll('a[href^="mailto:"], [data-copies]')) {
    each.addEventListener("click", () => {
      letter.querySelector("details").open = true;
      ask.textContent = ask.dataset.words;
    });
  }
}

// In the list, to mark them is then the first thing to do in the row.
for (const link of document.querySelectorAll(".write")) {
  link.addEventListener("click", () => link.parentElement.classList.add("is-opened"));
}
