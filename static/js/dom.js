// Small things that many pages do with elements.

export const create = (tag, properties = {}) => Object.assign(document.createElement(tag), properties);

export const within = (value, least, most) => Math.min(Math.max(value, least), most);

/** Of these links, the one that leads to where we are. */
export function markCurrent(links, current) {
  for (const link of links) {
    if (link === current) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

/** Enter must not send a form that is half filled in. */
export function ignoreEnter(field, then = () => {}) {
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    field.blur();
    then();
  });
}
