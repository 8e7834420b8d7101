/* Sends a form that has an idempotency key. The page stays open until there is a response: its key makes a second try
   count once, and a page opened anew would have another key. */
import { fieldsOf, pageOf, post } from "./http.js";
import { say } from "./words.js";

/** What was wrong in the form, which stays as it is: sent again, a wrong password would count twice. Nothing where another
    page is to be shown, which asks or says what has changed meanwhile. */
async function wrongIn(form, response, isPage) {
  if (![400, 403].includes(response.status)) return "";
  if (isPage) {
    const page = await pageOf(response);
    return page.getElementById(form.id) ? page.querySelector('main [role="alert"]').textContent.trim() : "";
  }
  const { error, fields = {} } = await response.json();
  return Object.values(fields).join(" ") || error;
}

/** Goes on to the form's `data-next`, or to where `next` says by the response in JSON, or to the page that says why it was
    refused. False where the form can be sent again: nothing came of it, or something is wrong in it. */
export async function sendKeyed(form, next) {
  const unsure = document.getElementById("unsure");
  unsure.hidden = true;
  try {
    const options = next ? {} : { accept: "text/html", redirect: "manual" };
    const response = await post(form.action, fieldsOf(form), { within: 15_000, ...options });
    if (response.status >= 500) throw new Error(response.status);
    if (next && response.ok) location.replace(next(await response.json()));
    else if (response.type === "opaqueredirect") location.replace(form.dataset.next);
    else {
      const wrong = await wrongIn(form, response, !next);
      say(unsure, wrong);
      if (wrong) return false;
      form.submit();
    }
    return true;
  } catch {
    say(unsure, form.dataset.unsure);
    return false;
  }
}

export function enable(form, enabled) {
  for (const button of form.querySelectorAll("button")) button.disabled = !enabled;
}

/** When the browser shows the page from its cache. */
export function enableWhenBack(forms) {
  addEventListener("pageshow", () => {
    for (const form of forms) enable(form, true);
  });
}
