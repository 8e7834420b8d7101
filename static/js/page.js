// Puts a newer version of a part of the page in place of the one on the screen. Elements stay, and with them the focus, what
// is open and what is being typed.
import { Idiomorph } from "../vendor/idiomorph/idiomorph-0.8.0.esm.js";

/** What somebody does there: a fold that is open, a field that is being filled in. */
function isInUse(name, element) {
  if (name === "open") return element.matches("details, dialog");
  const isTyped = ["value", "checked", "selected"].includes(name) && element.matches("input, textarea, option");
  return isTyped && document.activeElement === (element.closest("select") ?? element);
}

const focusable = (element) => [...element.querySelectorAll("a, button, summary, input, textarea, select")];

/** `old` becomes what `fresh` is, an element of another document, or only gets its `children`. What has `data-kept`, in which
    scripts alone write, stays as it is, and what `isKept` tells by both versions. `added` is called with each element that is
    new. If what has the focus goes away, `focusAfter` gets it. */
export function put(old, fresh, { children = false, isKept = () => false, added = () => {}, focusAfter } = {}) {
  const active = document.activeElement;
  const place = focusable(old).indexOf(active);
  const hadFocus = old.contains(active);
  const stays = (before, after) => before instanceof HTMLElement && ("kept" in before.dataset || isKept(before, after));
  Idiomorph.morph(old, children ? fresh.childNodes : fresh, {
    morphStyle: children ? "innerHTML" : "outerHTML",
    callbacks: {
      beforeNodeMorphed: (before, after) => !stays(before, after),
      afterNodeAdded: (node) => node instanceof Element && added(node),
      beforeAttributeUpdated: (name, element) => !isInUse(name, element),
    },
  });
  if (!hadFocus || old.contains(document.activeElement)) return;
  const next = old.contains(active) ? active : (focusAfter ?? focusable(old)[place]);
  next?.focus({ preventScroll: true });
}

/** Each part of the page that is there in both. */
export function putParts(page, selectors, options) {
  for (const selector of selectors) {
    const [old, fresh] = [document, page].map((each) => each.querySelector(selector));
    if (old && fresh) put(old, fresh, options);
  }
}
