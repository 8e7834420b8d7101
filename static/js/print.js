// Prints the page by its button, or at once where it was asked for so.

document.addEventListener("click", (event) => event.target.closest("#print") && print());

// A page that was asked for to be printed. Read again, it isn't.
if (document.getElementById("print")?.hasAttribute("data-now")) {
  const address = new URL(location.href);
  address.searchParams.delete("print");
  history.replaceState(null, "", address);
  addEventListener("load", () => print());
}
