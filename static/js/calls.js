// Calls the waiter without leaving the page, and says when somebody has been there.
import { fieldsOf, isBusy, pageOf, readPage, setReady } from "./http.js";
import { putParts } from "./page.js";
import { keepReading } from "./polling.js";
import { sendAgain } from "./send_again.js";
import "./unfold.js";
import { say } from "./words.js";

const CHECK_EVERY = 15_000; // milliseconds, while a call is open
const section = () => document.getElementById("calls");

function show(page) {
  if (!page.getElementById("calls")) throw new Error("another page");
  putParts(page, ["#calls", ".calls-state"]);
}

function showFailure(text) {
  say(section().querySelector(".calls-failed"), text);
}

// The form's own request: its redirect leads to this page, which shows the call.
document.addEventListener("submit", async (event) => {
  const { target: form, submitter } = event;
  if (!form.closest("#calls")) return;
  event.preventDefault();
  if (isBusy(submitter)) return;
  showFailure("");
  const { waiting, failed } = section().querySelector(".calls-failed").dataset;
  try {
    const body = fieldsOf(form, submitter);
    const response = await sendAgain(form.action, { accept: "text/html", body }, () => showFailure(waiting));
    if (!response) throw new Error("no response");
    showFailure("");
    // The table was closed, or its code has to be scanned first: a page says so.
    if (response.status === 409) location.href = section().dataset.here;
    else if (response.status === 403) location.href = form.action.replace(/calls$/, "cart");
    else if (response.ok) show(await pageOf(response));
    else throw new Error(response.status);
  } catch {
    setReady(submitter);
    showFailure(failed);
  }
});

async function check() {
  if (section().dataset.open === "0") return;
  try {
    show(await readPage(section().dataset.here));
  } catch {
    // the next time
  }
}

if (section()) keepReading(check, CHECK_EVERY);
