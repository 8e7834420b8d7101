/* The display's words, numbers and times, and the few ways in which its elements are changed: only where something
   differs. Words come from the page's <template id="words">; data is only ever put in as text. */
(() => {
  "use strict";

  const byId = (id) => document.getElementById(id);
  const language = document.documentElement.lang || undefined;

  const phrases = new Map();
  for (const each of byId("words").content.querySelectorAll("[data-word]")) {
    phrases.set(each.dataset.word, each.textContent.trim());
  }

  function word(name, values = {}) {
    return (phrases.get(name) ?? name).replace(/\{(\w+)\}/g, (all, key) => String(values[key] ?? all));
  }

  const hourAndMinute = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit" });
  const toTheSecond = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
  const twoDigits = (number) => String(number).padStart(2, "0");

  let money;
  try {
    money = new Intl.NumberFormat(language, { style: "currency", currency: document.documentElement.dataset.currency });
  } catch {
    money = new Intl.NumberFormat(language, { minimumFractionDigits: 2 });
  }

  function age(milliseconds) {
    const seconds = Math.max(0, Math.floor(milliseconds / 1000));
    const minutes = Math.floor(seconds / 60);
    const hours = Math.floor(minutes / 60);
    if (minutes < 60) return `${minutes}:${twoDigits(seconds % 60)}`;
    if (hours < 24) return word("age-hours", { hours, minutes: twoDigits(minutes % 60) });
    return word("age-days", { days: Math.floor(hours / 24) });
  }

  function setText(element, text) {
    if (element.textContent !== text) element.textContent = text;
  }

  function setHidden(element, hidden) {
    if (element.hidden !== hidden) element.hidden = hidden;
  }

  function setData(element, name, value) {
    if (element.dataset[name] !== value) element.dataset[name] = value;
  }

  const clone = (template) => byId(template).content.firstElementChild.cloneNode(true);

  // --- for ears ---

  const AT_ONCE = 150; // milliseconds in which sentences gather to be read out together
  const PAUSE = 3000; // between two readings
  const ONE_BY_ONE = 3; // new orders; more of them are only counted

  let news = [];
  let sentences = [];
  let timer = 0;
  let readAt = -Infinity;

  function readOut() {
    timer = 0;
    readAt = performance.now();
    const orders = news.length > ONE_BY_ONE ? [word("say-new-orders", { count: news.length })] : news;
    byId("announcer").textContent = [...orders, ...sentences].join(". ");
    news = [];
    sentences = [];
  }

  function announce(sentence, isNewOrder = false) {
    (isNewOrder ? news : sentences).push(sentence);
    timer ||= setTimeout(readOut, Math.max(AT_ONCE, readAt + PAUSE - performance.now()));
  }

  window.kitchenWords = {
    byId,
    language,
    word,
    age,
    price: (amount) => money.format(amount),
    hourAndMinute: (time) => hourAndMinute.format(time),
    toTheSecond: (time) => toTheSecond.format(time),
    setText,
    setHidden,
    setData,
    clone,
    announce,
  };
})();
