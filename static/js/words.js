// Sentences that the page carries are filled and written, and searched.

/** `words` with {name} replaced by values.name. */
export function fill(words, values = {}) {
  return words.replace(/\{(\w+)\}/g, (all, name) => String(values[name] ?? all));
}

const rules = new Intl.PluralRules(document.documentElement.lang);

/** The form for this count of those that `plural_forms` has written, with the count, or how it is `written`, for #. */
export const counted = (forms, count, written = count) =>
  (forms[rules.select(Number(count))] ?? forms.other).replace("#", written);

/** Written only where it differs: what is written is laid out anew, and read out. */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** The text, hidden where there is none. */
export function say(element, text) {
  write(element, text);
  element.hidden = !text;
}

/** Without accents and capitals: "creme" finds "Crème". */
export const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** The words that somebody searches for, as `plain` writes them. */
export const searched = (text) => plain(text).split(/\s+/).filter(Boolean);
