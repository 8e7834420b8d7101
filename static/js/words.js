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

const LETTERS = { ß: "ss", æ: "ae", œ: "oe", þ: "th", ø: "o", đ: "d", ð: "d", ł: "l", ı: "i", ς: "σ" };

/** As `plain` of web/searching.py: "creme" finds "Crème", "weisswurst" "Weißwurst", "chefs" "Chef’s". */
export const plain = (text) =>
  text
    .normalize("NFD")
    .replace(/[\u0300-\u036f\u0591-\u05c7\u064b-\u065f]/g, "")
    .toLowerCase()
    .replace(/['’‘ʼ`´]/g, "")
    .replace(/[ßæœþøđðłıς]/g, (letter) => LETTERS[letter]);

/** The words that somebody searches for, as `plain` writes them. */
export const searched = (text) => plain(text).split(/\s+/).filter(Boolean);
