// Messages to this phone while it is locked: asks the browser, and tells the server.
import { post, request } from "./http.js";

const ADDRESS = "/push/subscriptions";
const WORKER = "/push-worker.js";

/** Why this browser can't; empty where it may. On iPhones it can once the page is on the home screen. */
export function obstacle() {
  if (!window.isSecureContext) return "insecure";
  if ("PushManager" in window && "Notification" in window && "serviceWorker" in navigator) {
    return Notification.permission === "denied" ? "denied" : "";
  }
  const isApple = /iPhone|iPad/.test(navigator.userAgent) || (/Mac/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);
  return isApple ? "home" : "unsupported";
}

/** The installation's key, empty where it sends no messages, and this person's endpoints. */
export async function server() {
  const response = await request(ADDRESS);
  if (!response.ok) throw new Error(response.status);
  return response.json();
}

export async function subscription() {
  const worker = await navigator.serviceWorker.getRegistration("/");
  return worker ? worker.pushManager.getSubscription() : null;
}

/** Whether it is on now: not where the person says no. To be called by a tap: then the browser asks. */
export async function turnOn(values) {
  if ((await Notification.requestPermission()) !== "granted") return false;
  const [{ key }] = await Promise.all([server(), navigator.serviceWorker.register(WORKER)]);
  const { pushManager } = await navigator.serviceWorker.ready;
  const made = await subscribe(pushManager, key);
  const response = await post(ADDRESS, { ...made.toJSON(), ...values });
  if (!response.ok) throw new Error(response.status);
  return true;
}

async function subscribe(manager, key) {
  const bytes = Uint8Array.from(atob(key.replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0));
  const options = { userVisibleOnly: true, applicationServerKey: bytes };
  try {
    return await manager.subscribe(options);
  } catch (error) {
    if (error.name !== "InvalidStateError") throw error;
    await (await manager.getSubscription()).unsubscribe(); // of an installation that was here before
    return manager.subscribe(options);
  }
}

/** For the server alone: the browser's subscription may be that of a guest, too. */
export async function turnOff() {
  const { endpoint } = await subscription();
  const response = await post(`${ADDRESS}/remove`, { endpoint });
  if (!response.ok) throw new Error(response.status);
}
