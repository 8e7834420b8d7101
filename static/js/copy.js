// A button that copies a field. Without JavaScript it stays hidden.

for (const button of document.querySelectorAll("[data-copies]")) {
  const field = document.getElementById(button.dataset.copies);
  const status = document.getElementById(`${button.dataset.copies}-copied`);
  field.addEventListener("focus", () => field.select());
  button.hidden = false;
  button.addEventListener("click", async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      // navigator.clipboard needs HTTPS. What is folded can't be selected.
      const folded = field.closest("details");
      if (folded) folded.open = true;
      field.select();
      if (!document.execCommand("copy")) return;
    }
    button.textContent = status.textContent = button.dataset.done;
  });
}
