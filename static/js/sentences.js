// Sentences that a page carries in a <template>, and how they say for how long something lasts.
import { counted, fill } from "./words.js";

/** The sentences of a <template> by their `data-key`: a function that finds one, for `count` if it has forms, and fills it. */
export function sentences(template) {
  const found = new Map();
  for (const each of template.content.querySelectorAll("[data-key]")) found.set(each.dataset.key, each);
  return (key, values) => {
    const { dataset, textContent } = found.get(key) ?? { dataset: {}, textContent: key };
    return fill(dataset.other ? counted(dataset, values.count) : textContent.trim(), values);
  };
}

/** For how long, in the words that `word` finds by their keys. */
export function ageText(minutes, word) {
  const hours = Math.floor(minutes / 60);
  if (minutes < 1) return word("now");
  if (hours < 1) return word("minutes", { minutes });
  if (hours < 24) return word("hours", { hours, minutes: minutes % 60 });
  return word("days", { days: Math.floor(hours / 24) });
}
