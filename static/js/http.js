// Requests with a time limit: without a network a browser may wait for minutes.

const WITHIN = 8000; // milliseconds

/** `body`: of a form, else an object that is sent as JSON. `key`: makes a request that is sent again count once. */
export function request(address, { accept = "application/json", within = WITHIN, key, headers, body, ...options } = {}) {
  const isForm = body === undefined || body instanceof URLSearchParams;
  return fetch(address, {
    cache: "no-store",
    signal: AbortSignal.timeout(within),
    ...options,
    headers: {
      Accept: accept,
      ...(!isForm && { "Content-Type": "application/json" }),
      ...(key && { "Idempotency-Key": key }),
      ...headers,
    },
    body: isForm ? body : JSON.stringify(body),
  });
}

export const post = (address, body, options) => request(address, { method: "POST", body, ...options });

/** What a form sends, with the button that sends it. */
export const fieldsOf = (form, submitter) => new URLSearchParams(new FormData(form, submitter));

/** Reads a page as a document. Throws where the response is none, or an error. */
export async function readPage(address, options) {
  const response = await request(address, { accept: "text/html", ...options });
  if (!response.ok) throw new Error(response.status);
  return pageOf(response);
}

export const pageOf = async (response) => new DOMParser().parseFromString(await response.text(), "text/html");

/** Whether the button is under way already: a double tap. It keeps the focus, which `disabled` would lose. */
export function isBusy(button) {
  if (button.getAttribute("aria-disabled") === "true") return true;
  button.setAttribute("aria-disabled", "true");
  return false;
}

export const setReady = (button) => button.removeAttribute("aria-disabled");
