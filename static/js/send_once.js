// Sends a form once: a second tap while the first is under way would be refused.

const buttons = () => document.querySelectorAll("form button");

document.addEventListener("submit", (event) => {
  const button = event.submitter;
  if (!button) return;
  setTimeout(() => (button.disabled = true)); // after the browser has read the form's fields
  setTimeout(() => (button.disabled = false), 15_000); // if no page comes, the guest can try again
});

// Also when the browser shows the page again from its cache.
addEventListener("pageshow", () => {
  for (const button of buttons()) button.disabled = false;
});
