/* The one click on an item's availability, without leaving the list: what is half edited in it stays.
   Without this file, the button sends the list's own form, and the list comes back. */
"use strict";

document.addEventListener("click", async (event) => {
  const button = event.target.closest(".menu-switch");
  if (!button || button.ariaBusy === "true") {
    if (button) event.preventDefault();
    return;
  }
  event.preventDefault();
  button.ariaBusy = "true";
  const said = document.getElementById("menu-said");
  const body = new FormData();
  body.set("csrfmiddlewaretoken", button.form.elements.csrfmiddlewaretoken.value);
  body.set("available", button.value);
  try {
    const answer = await fetch(button.formAction, { method: "POST", body, headers: { Accept: "application/json" } });
    const kind = answer.headers.get("Content-Type") || "";
    if (!answer.ok || !kind.startsWith("application/json")) throw new Error(String(answer.status));
    const now = new DOMParser().parseFromString((await answer.json()).button, "text/html").querySelector("button");
    const hadFocus = document.activeElement === button;
    button.replaceWith(now);
    if (hadFocus) now.focus();
    said.textContent = now.textContent;
  } catch {
    button.ariaBusy = "false";
    said.textContent = said.dataset.failed;
    said.classList.remove("visually-hidden");
    said.classList.add("menu-failed");
  }
});
