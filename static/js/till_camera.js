// Scanning at the till: with the camera where the browser reads codes itself, else ready for what a scanner types.
"use strict";

(() => {
  const EVERY = 150; // milliseconds
  const link = document.querySelector(".find-scan");
  const dialog = document.querySelector(".scan");
  const picture = dialog.querySelector("video");
  let detector = null;
  let stream = null;
  let opened = 0; // counts, so that a camera that is allowed late finds out that it is not wanted any more

  async function prepare() {
    if (!window.BarcodeDetector || !navigator.mediaDevices) return;
    if (!(await BarcodeDetector.getSupportedFormats()).includes("qr_code")) return;
    detector = new BarcodeDetector({ formats: ["qr_code"] });
    link.classList.add("find-camera");
    for (const words of link.querySelectorAll("strong, .find-scan-how")) words.hidden = !words.hidden;
  }

  async function open() {
    const number = (opened += 1);
    dialog.querySelector("[role=alert]").hidden = true;
    dialog.showModal();
    try {
      const video = { facingMode: "environment" };
      const started = await navigator.mediaDevices.getUserMedia({ video });
      if (number !== opened) return stop(started); // closed while the browser asked
      stream = started;
      picture.srcObject = stream;
      picture.play().catch(() => {}); // closed before the first picture
      look(number);
    } catch {
      if (number === opened) dialog.querySelector("[role=alert]").hidden = false;
    }
  }

  async function look(number) {
    if (number !== opened) return;
    const [code] = await detector.detect(picture).catch(() => []);
    if (number !== opened) return;
    if (!code) return setTimeout(look, EVERY, number);
    close();
    location.assign(dialog.dataset.till + encodeURIComponent(code.rawValue));
  }

  function stop(tracks) {
    for (const track of tracks?.getTracks() ?? []) track.stop();
  }

  function close() {
    opened += 1;
    stop(stream);
    stream = null;
    picture.srcObject = null;
    if (dialog.open) dialog.close();
  }

  link.setAttribute("role", "button");
  link.addEventListener("click", (event) => {
    event.preventDefault();
    if (detector) open();
    else document.getElementById("q").focus();
  });
  link.addEventListener("keydown", (event) => {
    if (event.key !== " ") return;
    event.preventDefault();
    link.click();
  });
  dialog.addEventListener("close", close);
  addEventListener("pagehide", close);
  prepare();
})();
