// What is chosen is shown at once: the page of the choice is read, and what it prints takes the place of what is there.
"use strict";

(() => {
  const form = document.querySelector(".which-cards");
  const REPLACED = [".how-format", ".sheets", ".go"];
  const PAUSE = 400; // milliseconds after a key
  let latest = 0;
  let timer;

  async function show() {
    clearTimeout(timer);
    const number = ++latest;
    const address = `${form.action}?${new URLSearchParams([...new FormData(form)].filter(([, value]) => value))}`;
    try {
      const response = await fetch(address, { headers: { Accept: "text/html" } });
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      if (number !== latest) return;
      const pairs = REPLACED.map((part) => [document.querySelector(part), page.querySelector(part)]);
      // A refusal, or a page with other parts: the whole page says why.
      if (!response.ok || pairs.some(([here, there]) => !here || !there)) throw new Error(response.status);
      for (const [here, there] of pairs) here.replaceWith(document.adoptNode(there));
      history.replaceState(null, "", address);
    } catch {
      if (number === latest) form.submit();
    }
  }

  form.querySelector("button").hidden = true;
  form.addEventListener("change", (event) => {
    const more = event.target.closest(".choice")?.nextElementSibling;
    if (more?.matches(".which-more") && !more.value) more.focus();
    else show();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    show();
  });
  form.elements.headline.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(show, PAUSE);
  });
})();
