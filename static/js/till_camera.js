// Scanning at the till: with the camera where the browser reads codes itself, else ready for what a scanner types.
"use strict";

(() => {
  const EVERY = 150; // milliseconds
  const link = document.querySelector(".find-scan");
  const dialog = document.querySelector(".scan");
  const picture = dialog.querySelector("video");
  let detector = null;
  let stream = null;

  async function prepare() {
    if (!window.BarcodeDetector || !navigator.mediaDevices) return;
    if (!(await BarcodeDetector.getSupportedFormats()).includes("qr_code")) return;
    detector = new BarcodeDetector({ formats: ["qr_code"] });
    link.classList.add("find-camera");
    for (const words of link.querySelectorAll("strong, .find-scan-how")) words.hidden = !words.hidden;
  }

  async function open() {
    dialog.querySelector("[role=alert]").hidden = true;
    dialog.showModal();
    try {
      const video = { facingMode: "environment" };
      const started = await navigator.mediaDevices.getUserMedia({ video });
      if (!dialog.open) return stop(started); // closed while the browser asked
      stream = started;
      picture.srcObject = stream;
      picture.play().catch(() => {}); // closed before the first picture
      look();
    } catch {
      if (dialog.open) dialog.querySelector("[role=alert]").hidden = false;
    }
  }

  async function look() {
    if (!stream) return;
    const [code] = await detector.detect(picture).catch(() => []);
    if (!stream) return;
    if (!code) return setTimeout(look, EVERY);
    close();
    location.assign(dialog.dataset.till + encodeURIComponent(code.rawValue));
  }

  function stop(tracks) {
    for (const track of tracks?.getTracks() ?? []) track.stop();
  }

  function close() {
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
