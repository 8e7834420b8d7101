// Calls the waiter from the menu's header by one tap, and says that it arrived.
import { fieldsOf, isBusy, setReady } from "../http.js";
import { sendAgain } from "../send_again.js";
import { toast } from "../toast.js";

document.getElementById("call").addEventListener("submit", async (event) => {
  event.preventDefault();
  const { target: form, submitter } = event;
  if (isBusy(submitter)) return;
  const { called, waiting, failed } = form.dataset;
  const response = await sendAgain(form.action, { body: fieldsOf(form, submitter) }, () => toast(waiting));
  setReady(submitter);
  if (response && !response.ok) location.href = form.action.replace(/calls$/, "cart"); // which says why
  else toast(response ? called : failed);
});
