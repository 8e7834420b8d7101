// A button that shows what is typed as a password. Without JavaScript it stays hidden.

for (const button of document.querySelectorAll("[data-shows]")) {
  const field = document.getElementById(button.dataset.shows);
  const status = document.getElementById(`${field.id}-shown`);

  const show = (shown) => {
    field.type = shown ? "text" : "password";
    button.setAttribute("aria-pressed", shown);
  };

  button.hidden = false;
  button.addEventListener("click", () => {
    const shown = field.type === "password";
    show(shown);
    status.textContent = shown ? button.dataset.shown : button.dataset.hidden;
  });
  // Sent as a password, so that the browser offers to keep it, and hidden where the page comes back from its cache.
  field.form.addEventListener("submit", () => show(false));
  addEventListener("pagehide", () => show(false));
}
