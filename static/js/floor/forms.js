// Sends the page's forms once each, and says where one is not confirmed.
import { create } from "../dom.js";
import { fieldsOf, post } from "../http.js";
import { toast } from "../toast.js";
import { say } from "../words.js";
import { read } from "./live.js";
import { word } from "./words.js";

const itemOf = (form) => form.closest("li") ?? form;

function setBusy(item, busy) {
  item.toggleAttribute("data-busy", busy);
  item.setAttribute("aria-busy", String(busy));
  for (const button of item.querySelectorAll("button")) button.disabled = busy;
}

function sayIn(item, sentence) {
  let place = item.querySelector(":scope > .form-error");
  if (!place && sentence) {
    place = create("p", { className: "field-wrong form-error" });
    place.setAttribute("role", "alert");
    item.append(place);
  }
  if (place) say(place, sentence);
}

async function sendBody(form, body) {
  const response = await post(form.action, body);
  if (response.ok) return "";
  if (response.status >= 500) throw new Error(response.status);
  const { error } = await response.json();
  return word("refused", { error });
}

/** Nothing is typed there any more, so that it may be replaced. */
function fold(details) {
  details.querySelector("summary").focus();
  details.open = false;
}

/** Somebody else was first. */
function sayWhoHas(id) {
  const whose = document.getElementById(id)?.querySelector("[data-taken]");
  if (whose) toast(whose.textContent.trim());
}

async function send(form, submitter) {
  const item = itemOf(form);
  if ("busy" in item.dataset) return;
  const body = fieldsOf(form, submitter);
  setBusy(item, true);
  sayIn(item, "");
  const label = form.dataset.send === "silent" ? null : submitter?.firstChild; // a number has no room for a word
  const text = label?.textContent;
  if (label) label.textContent = word("sending");
  let problem;
  try {
    problem = await sendBody(form, body);
  } catch {
    problem = word("unsure");
  }
  if (!problem && form.dataset.send === "folds") fold(form.closest("details"));
  // Read before the buttons work again: what was done is gone then.
  if (!problem) await read();
  if (!problem && form.dataset.send === "take") sayWhoHas(item.id);
  if (label?.textContent === word("sending")) label.textContent = text;
  setBusy(item, false);
  sayIn(item, problem);
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if ("send" in form.dataset) {
    event.preventDefault();
    send(form, event.submitter);
  } else if ("once" in form.dataset) {
    if ("sent" in form.dataset) event.preventDefault();
    form.dataset.sent = "";
  }
});
// Back on the page from the browser's cache, its forms work again.
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});
