// A link to what is folded unfolds it, in every browser.
const unfold = () => {
  const fold = document.getElementById(location.hash.slice(1))?.closest("details");
  if (!fold || fold.open) return;
  fold.open = true;
  fold.scrollIntoView({ block: "nearest" });
};
addEventListener("hashchange", unfold);
unfold();
