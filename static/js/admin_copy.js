// A button that copies a field. Without this script the field is selected and copied by hand.
for (const button of document.querySelectorAll("[data-copies]")) {
  const field = document.getElementById(button.dataset.copies);
  field.addEventListener("focus", () => field.select());
  button.hidden = false;
  button.addEventListener("click", async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      // No clipboard for a page without HTTPS: the old way still works there.
      if (!document.execCommand("copy")) return;
    }
    button.textContent = button.dataset.done;
  });
}
