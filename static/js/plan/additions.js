/* Tables and sections that are added on the plan's page. A table comes onto the board at once, beside what is not saved
   yet; a section is another page, and the browser asks before it leaves changes behind. */
import { create } from "../dom.js";
import { post } from "../http.js";
import { say } from "../words.js";

const tableDialog = document.getElementById("table-dialog");
const sectionDialog = document.getElementById("section-dialog");
const form = tableDialog?.querySelector("form"); // null for whoever may not add any
const alert = form?.querySelector("[role=alert]");
const told = document.getElementById("plan-told");
const { tableNumber, capacity } = form?.elements ?? {};
const submit = form?.querySelector("button:not([type=button])");
let plan; // {add, word}

function open(dialog, field) {
  dialog.showModal();
  field.focus();
  field.select();
}

function showError(sentence, wrong = {}) {
  say(alert, sentence);
  for (const field of [tableNumber, capacity]) field.setAttribute("aria-invalid", field.name in wrong);
}

async function send() {
  const seats = capacity.value.trim();
  const body = {
    tableNumber: Number(tableNumber.value),
    section: document.getElementById("plan").elements.section.value,
    capacity: seats ? Number(seats) : null,
  };
  const headers = { "X-CSRFToken": document.querySelector("[name=csrfmiddlewaretoken]").value };
  const response = await post(form.action, body, { headers });
  const answer = await response.json();
  if (response.ok) added(answer.tableNumber, body.capacity);
  else showError(Object.values(answer.fields ?? {})[0] ?? answer.error, answer.fields);
}

function added(number, seats) {
  tableDialog.close();
  plan.add(String(number), seats);
  const link = create("a", {
    href: `${form.dataset.cards}?numbers=${number}`,
    textContent: plan.word("card"),
  });
  told.replaceChildren(plan.word("added", { number }), " ", link);
  told.hidden = false;
  for (const field of [tableNumber, document.getElementById("section-from")]) {
    if (Number(field.value) <= number) field.value = field.defaultValue = number + 1;
  }
  const last = document.getElementById("section-to");
  last.value = last.defaultValue = Math.max(Number(last.value), number + 1);
}

/** `add` puts a table on the board, `word` finds a sentence of the page. */
export function offerAdditions(add, word) {
  if (!form) return;
  plan = { add, word };
  document.getElementById("new-table").addEventListener("click", () => {
    showError("");
    open(tableDialog, tableNumber);
  });
  document.getElementById("new-section").addEventListener("click", (event) => {
    event.preventDefault();
    open(sectionDialog, document.getElementById("section-name"));
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (submit.disabled) return;
    submit.disabled = true;
    try {
      await send();
    } catch {
      showError(form.dataset.unsure);
    } finally {
      submit.disabled = false;
    }
  });
  for (const dialog of [tableDialog, sectionDialog]) {
    dialog.addEventListener("click", ({ target }) => {
      if (target === dialog || target.matches("[data-close]")) dialog.close();
    });
  }
}
