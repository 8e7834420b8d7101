// On the account's page: whether this phone hears of things while it is locked.
import { fieldsOf, isBusy, post, setReady } from "./http.js";
import { obstacle, server, subscription, turnOff, turnOn } from "./push.js";

const section = document.getElementById("push");
const failed = section.querySelector("[role=alert]");
const sent = section.querySelector("[data-sent]");

function show(state) {
  for (const each of section.querySelectorAll("[data-state]")) each.hidden = each.dataset.state !== state;
}

async function look() {
  if (obstacle()) return show(obstacle());
  const known = await server();
  if (!known.key) return section.remove();
  const own = await subscription();
  return show(own && known.endpoints.includes(own.endpoint) ? "on" : "off");
}

const acts = {
  on: () => turnOn(),
  off: () => turnOff(),
  async try({ form }) {
    form.elements.endpoint.value = (await subscription()).endpoint;
    const response = await post(form.action, fieldsOf(form));
    if (!response.ok) throw new Error(response.status);
    sent.hidden = false;
  },
};

async function attempt(act) {
  failed.hidden = sent.hidden = true;
  try {
    await act();
    await look();
  } catch {
    failed.hidden = false;
  }
}

section.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-act]");
  if (!button) return;
  event.preventDefault();
  if (isBusy(button)) return;
  button.setAttribute("aria-busy", "true");
  await attempt(() => acts[button.dataset.act](button));
  button.removeAttribute("aria-busy");
  setReady(button);
});

attempt(() => {});
