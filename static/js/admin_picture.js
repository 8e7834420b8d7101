/* Shows which part of a chosen picture is kept. The part is moved by the sliders of the form, or by dragging the
   picture. Without this script the sliders alone do it, and the middle is what they begin with. */
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const input = document.getElementById("id_picture_file");
  if (!input) return;
  const [zoom, x, y] = ["zoom", "x", "y"].map((name) => document.getElementById(`id_picture_${name}`));
  const canvas = document.createElement("canvas");
  canvas.width = 640;
  canvas.height = 480;
  canvas.className = "crop-view";
  canvas.setAttribute("role", "img");
  canvas.hidden = true;
  const note = document.createElement("p");
  note.className = "crop-note";
  note.setAttribute("role", "status");
  input.closest(".form-row").after(canvas, note);
  const sliders = zoom.closest(".form-row");
  sliders.hidden = true;
  let picture = null;

  /* As in restaurant/menu/services/pictures.py. */
  function part() {
    const largest = Math.min(picture.width, (picture.height * 4) / 3);
    const width = Math.max((largest * 100) / zoom.value, Math.min(largest, 176));
    const height = (width * 3) / 4;
    return { left: ((picture.width - width) * x.value) / 100, top: ((picture.height - height) * y.value) / 100, width, height };
  }

  function draw() {
    if (!picture) return;
    const { left, top, width, height } = part();
    const context = canvas.getContext("2d");
    context.fillStyle = "white"; // what is transparent becomes white
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(picture, left, top, width, height, 0, 0, canvas.width, canvas.height);
    canvas.setAttribute("aria-label", input.dataset.label.replace("{x}", x.value).replace("{y}", y.value).replace("{zoom}", zoom.value));
  }

  input.addEventListener("change", async () => {
    picture = null;
    canvas.hidden = sliders.hidden = true;
    note.textContent = "";
    [zoom.value, x.value, y.value] = [100, 50, 50];
    const file = input.files[0];
    if (!file) return;
    try {
      picture = await createImageBitmap(file);
    } catch {
      note.textContent = input.dataset.unreadable; // the server says what is wrong with it
      return;
    }
    canvas.hidden = sliders.hidden = false;
    note.textContent = input.dataset.hint;
    draw();
  });
  for (const slider of [zoom, x, y]) slider.addEventListener("input", draw);

  let from = null;
  canvas.addEventListener("pointerdown", (event) => {
    if (!picture || event.button !== 0) return;
    event.preventDefault();
    canvas.setPointerCapture(event.pointerId);
    const { left, top } = part();
    from = { pageX: event.pageX, pageY: event.pageY, left, top };
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!from) return;
    const { width, height } = part();
    const scale = width / canvas.getBoundingClientRect().width;
    const spare = { x: picture.width - width, y: picture.height - height };
    const percent = (value, whole) => (whole < 1 ? 50 : Math.round(Math.min(Math.max((value / whole) * 100, 0), 100)));
    x.value = percent(from.left - (event.pageX - from.pageX) * scale, spare.x);
    y.value = percent(from.top - (event.pageY - from.pageY) * scale, spare.y);
    draw();
  });
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => { from = null; });
});
