"""Scripts that give this browser a camera and a reader of codes, of which it has neither."""

# A reader that reads what is set, and a camera that shows a canvas.
CAMERA = """
window.BarcodeDetector = class {
  static async getSupportedFormats() { return ["qr_code"]; }
  async detect() { return window.shown ? [{ rawValue: window.shown }] : []; }
};
navigator.mediaDevices.enumerateDevices = async () => [{ kind: "videoinput" }];
navigator.mediaDevices.getUserMedia = async () => {
  const canvas = document.createElement("canvas");
  canvas.getContext("2d").fillRect(0, 0, 9, 9);
  return (window.camera = canvas.captureStream());
};
"""

# Each opening waits until it is allowed, and each camera and each look is kept.
SLOW_CAMERA = f"""{CAMERA}
window.cameras = [];
window.waiting = [];
window.looks = 0;
const camera = navigator.mediaDevices.getUserMedia;
navigator.mediaDevices.getUserMedia = async () => {{
  await new Promise((allow) => window.waiting.push(allow));
  const stream = await camera();
  window.cameras.push(stream);
  return stream;
}};
BarcodeDetector.prototype.detect = async () => {{
  window.looks += 1;
  return [];
}};
"""

NO_CAMERA = CAMERA + "navigator.mediaDevices.enumerateDevices = async () => [{ kind: 'audioinput' }];"
