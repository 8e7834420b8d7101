/* A file that is too large, or no picture, is refused with a sentence before it is sent. Without this script the server
   refuses it. */
"use strict";

function refusal({ dataset, accept }, file) {
  if (file.size > Number(dataset.largest)) return dataset.tooLarge;
  return dataset.unknown && file.type && !accept.split(",").includes(file.type) ? dataset.unknown : "";
}

// Before other listeners, for which then no file was chosen.
document.addEventListener("change", ({ target: input }) => {
  if (input.type !== "file" || !input.dataset.largest) return;
  const row = input.closest(".form-row");
  row.querySelector(".errorlist")?.remove();
  const sentence = input.files[0] ? refusal(input, input.files[0]) : "";
  row.classList.toggle("errors", sentence !== "");
  if (!sentence) return;
  input.value = "";
  const list = document.createElement("ul");
  list.className = "errorlist";
  list.setAttribute("role", "alert");
  list.append(document.createElement("li"));
  list.firstChild.textContent = sentence;
  row.prepend(list);
}, true);
