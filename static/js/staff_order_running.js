// What is in the order that staff take, beside the menu: a line for each dish, in the order in which they were chosen.
"use strict";

window.runningOrder = (() => {
  const panel = document.getElementById("running");
  const template = document.getElementById("running-line");
  if (!panel || !template) return null; // the page of choices and notes shows nothing else
  const list = document.getElementById("running-lines");
  const none = document.getElementById("running-none");
  const shown = new Map(); // by line: its element, which stays while the line does, and keeps the focus

  function create({ line, name, step, open }) {
    const element = template.content.firstElementChild.cloneNode(true);
    const group = element.querySelector(".stepper");
    group.setAttribute("aria-label", group.getAttribute("aria-label").replace("{name}", name));
    element.querySelector(".running-dish").textContent = name;
    element.querySelector(".fewer").addEventListener("click", () => step(-1));
    element.querySelector(".more").addEventListener("click", () => step(1));
    element.querySelector(".running-what").addEventListener("click", open);
    shown.set(line, element);
    list.append(element);
    element.scrollIntoView({ block: "nearest" });
    return element;
  }

  function setText(element, text) {
    element.textContent = text;
    element.hidden = !text;
  }

  function remove(line, element) {
    const hadFocus = element.contains(document.activeElement);
    const next = element.nextElementSibling ?? element.previousElementSibling;
    element.remove();
    shown.delete(line);
    if (hadFocus) next?.querySelector(".running-what").focus();
  }

  panel.hidden = false;

  return {
    /** `lines`: {line, name, options, note, caution, isOpen, isGone, quantity, amount, step, open} each, of which there are some. */
    show(lines) {
      const kept = new Set(lines.map((each) => each.line));
      for (const [line, element] of shown) if (!kept.has(line)) remove(line, element);
      for (const each of lines) {
        const element = shown.get(each.line) ?? create(each);
        element.classList.toggle("running-open", each.isOpen);
        element.classList.toggle("running-gone", each.isGone);
        element.querySelector("output").textContent = each.quantity;
        element.querySelector(".amount").textContent = each.amount;
        setText(element.querySelector(".running-options"), each.options);
        setText(element.querySelector(".running-note"), each.note);
        setText(element.querySelector(".running-caution"), each.caution);
      }
      none.hidden = shown.size > 0;
    },
  };
})();
