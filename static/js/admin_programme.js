// What the programme means for a guest while its fields are filled in. Without this script the page says what is saved.
const ASKED_AFTER = 250; // milliseconds

const preview = document.querySelector(".programme-preview");
const form = preview.closest("form");
const [sentences, warning, note] = preview.querySelectorAll("[data-part]");
let waiting;
let asked = 0;
note.textContent = preview.dataset.live;

async function read() {
  const values = new URLSearchParams(new FormData(form));
  values.delete("csrfmiddlewaretoken");
  const response = await fetch(`${preview.dataset.address}?${values}`, { headers: { Accept: "application/json" } });
  if (!response.ok) throw new Error(response.status);
  return response.json();
}

async function ask() {
  const number = ++asked;
  const answer = await read().catch(() => ({}));
  if (number !== asked) return; // a later one is on its way
  if (answer.note) note.textContent = answer.note;
  sentences.classList.toggle("is-old", !answer.sentences);
  if (!answer.sentences) return;
  warning.textContent = answer.warning;
  warning.hidden = !answer.warning;
  sentences.replaceChildren(...answer.sentences.map((words) => {
    const paragraph = document.createElement("p");
    paragraph.textContent = words;
    return paragraph;
  }));
}

form.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(ask, ASKED_AFTER);
});
// The browser may fill in what was typed before, after this script.
addEventListener("pageshow", () => {
  if ([...form.querySelectorAll("input")].some((field) => field.value !== field.defaultValue)) ask();
});
