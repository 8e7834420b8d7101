// Scanning at the till: with the camera where the browser reads codes itself, else ready for what a scanner types.

const EVERY = 150; // milliseconds
const link = document.querySelector(".find-scan");
const panel = document.querySelector(".scan"); // only where a guest is looked for
const picture = panel?.querySelector("video");
const refused = panel?.querySelector("[role=alert]");
let detector = null;
let stream = null;
let opened = 0; // counts, so that a camera that is allowed late finds out that it is not wanted any more

async function prepare() {
  if (!window.BarcodeDetector || !navigator.mediaDevices) return;
  if (!(await BarcodeDetector.getSupportedFormats()).includes("qr_code")) return;
  const devices = await navigator.mediaDevices.enumerateDevices();
  if (!devices.some((each) => each.kind === "videoinput")) return;
  detector = new BarcodeDetector({ formats: ["qr_code"] });
  link.classList.add("find-camera");
  link.hidden = false;
  for (const words of link.querySelectorAll("strong, .find-scan-how")) words.hidden = !words.hidden;
}

async function open() {
  const number = (opened += 1);
  refused.hidden = true;
  show(true);
  panel.querySelector("button").focus();
  try {
    const video = { facingMode: "environment" };
    const started = await navigator.mediaDevices.getUserMedia({ video });
    if (number !== opened) return stop(started); // closed while the browser asked
    stream = started;
    picture.srcObject = stream;
    picture.play().catch(() => {}); // closed before the first picture
    look(number);
  } catch {
    if (number === opened) refused.hidden = false;
  }
}

async function look(number) {
  if (number !== opened) return;
  const [code] = await detector.detect(picture).catch(() => []);
  if (number !== opened) return;
  if (!code) return setTimeout(look, EVERY, number);
  close();
  location.assign(panel.dataset.till + encodeURIComponent(code.rawValue));
}

function stop(tracks) {
  for (const track of tracks?.getTracks() ?? []) track.stop();
}

function close() {
  opened += 1;
  stop(stream);
  stream = null;
  picture.srcObject = null;
  show(false);
}

function show(camera) {
  panel.hidden = !camera;
  link.hidden = camera;
}

function leave() {
  close();
  link.focus();
}

if (panel) {
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
  panel.querySelector("button").addEventListener("click", leave);
  panel.addEventListener("keydown", (event) => {
    if (event.key === "Escape") leave();
  });
  addEventListener("pagehide", close);
  prepare();
}
