// "Tell me when it is ready", where the browser can.
import { isBusy, setReady } from "./http.js";
import { obstacle, turnOn } from "./push.js";
import { recall, remember } from "./storage.js";

const tell = document.getElementById("tell");

function show(state) {
  for (const each of tell.children) each.hidden = each.dataset.state !== state;
}

if (tell && !obstacle()) {
  const { order } = tell.dataset;
  const isAsked = Notification.permission === "granted" && recall("told of order") === order;
  show(isAsked ? "asked" : "off");
  tell.querySelector("button").addEventListener("click", async ({ currentTarget: button }) => {
    if (isBusy(button)) return;
    button.setAttribute("aria-busy", "true");
    try {
      const isOn = await turnOn({ orderId: order });
      if (isOn) remember("told of order", order);
      show(isOn ? "asked" : obstacle() ? "denied" : "off");
    } catch {
      show("failed");
    }
    button.removeAttribute("aria-busy");
    setReady(button);
  });
}
