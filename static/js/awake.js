// Keeps the screen on while the page is seen.

let lock = null; // ends whenever the page is hidden

async function request() {
  if (document.hidden || (lock && !lock.released)) return;
  try {
    lock = await navigator.wakeLock?.request("screen");
  } catch {
    lock = null; // the battery is low, or the page is not served by HTTPS
  }
}

export function keepAwake() {
  request();
  // Refused once, it may be granted after a touch.
  for (const kind of ["pointerup", "keyup"]) addEventListener(kind, request);
  document.addEventListener("visibilitychange", request);
}
