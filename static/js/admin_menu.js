/* Switches an item's availability in the list without a reload, so that unsaved edits stay.
   Without this script the button submits the list's form. */
"use strict";

document.addEventListener("click", async (event) => {
  const button = event.target.closest(".menu-switch");
  if (!button) return;
  event.preventDefault();
  if (button.ariaBusy === "true") return;
  button.ariaBusy = "true";
  const status = document.getElementById("menu-status") ?? document.createElement("p");
  status.id = "menu-status";
  status.role = "status";
  status.className = "visually-hidden";
  button.form.prepend(status);
  const body = new FormData();
  body.set("csrfmiddlewaretoken", button.form.elements.csrfmiddlewaretoken.value);
  body.set("available", button.value);
  try {
    const response = await fetch(button.formAction, { method: "POST", body, headers: { Accept: "application/json" } });
    const type = response.headers.get("Content-Type") || "";
    if (!response.ok || !type.startsWith("application/json")) throw new Error(String(response.status));
    const { button: html } = await response.json();
    const newButton = new DOMParser().parseFromString(html, "text/html").querySelector("button");
    const hadFocus = document.activeElement === button;
    button.replaceWith(newButton);
    if (hadFocus) newButton.focus();
    status.textContent = newButton.textContent;
  } catch {
    button.ariaBusy = "false";
    status.textContent = button.dataset.error;
    status.className = "errornote";
  }
});
