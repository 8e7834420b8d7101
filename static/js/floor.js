/* Keeps the floor, or a table's page, up to date: the socket says that something has changed, and the page is read anew.
   While there is no socket it is read every few seconds, and now and then in any case: a socket may look open and be
   dead. */
(() => {
  "use strict";

  const { update, word, setClock } = window.floorPage;
  // Milliseconds.
  const POLL_EVERY = 4000;
  const POLL_ANYWAY_EVERY = 12000;
  const TIMEOUT = 5000;
  const SOCKET_GRACE = 3000; // a socket that reconnects sooner is not worth a word
  const MOST_DELAY = 10000;
  const LONGEST_TOUCH = 1500;
  const SECTION = "floor-section";
  const offline = document.getElementById("offline");
  const now = () => performance.now();

  // --- what is said about the connection ---

  let readAt = Date.now();
  let failed = false;
  let signedOut = false;
  let lostAt = now(); // when the socket was lost; null while it is open

  /** As the venue writes it, with the words of the page. */
  function timeOfDay(moment) {
    const { lang, dataset } = document.documentElement;
    const { hour12 } = new Intl.DateTimeFormat(dataset.formats, { hour: "numeric" }).resolvedOptions();
    return new Date(moment).toLocaleTimeString(lang, { hour: "2-digit", minute: "2-digit", hour12 });
  }

  function showConnection() {
    const isSlow = lostAt !== null && now() - lostAt > SOCKET_GRACE;
    let text = "";
    if (signedOut) text = word("signed-out");
    else if (failed) text = word("offline", { time: timeOfDay(readAt) });
    else if (isSlow) text = word("slow");
    if (offline.textContent !== text) offline.textContent = text;
    offline.hidden = !text;
    offline.dataset.kind = failed || signedOut ? "bad" : "slow";
  }

  // --- reading the page ---

  let reading = null; // the promise of the read under way
  let again = false;
  let startedAt = now();

  /** Read now, or once more after the read under way: what it gets may be older than what was just done. */
  function read() {
    again = Boolean(reading);
    if (!reading) {
      reading = readUntilCurrent().finally(() => {
        reading = null;
        if (again) return read();
      });
    }
    return reading;
  }

  async function readUntilCurrent() {
    do {
      again = false;
      await readOnce();
    } while (again);
  }

  async function readOnce() {
    startedAt = now();
    try {
      const response = await fetch(location.href.split("#")[0], {
        headers: { Accept: "text/html" },
        cache: "no-store",
        signal: AbortSignal.timeout(TIMEOUT),
      });
      signedOut = response.redirected || response.status === 401 || response.status === 403;
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      if (!response.ok || !page.getElementById("floor")) throw new Error(response.status);
      await untilNotTouched();
      setClock(response.headers.get("Date"));
      for (const kind of update(page)) window.floorSound.ring(kind);
      readAt = Date.now();
      failed = false;
    } catch {
      failed = true;
    }
    showConnection();
  }

  // --- nothing moves away from under a finger ---

  let touchedAt = null;
  addEventListener("pointerdown", () => (touchedAt = now()));
  for (const name of ["pointerup", "pointercancel"]) addEventListener(name, () => setTimeout(() => (touchedAt = null)));

  async function untilNotTouched() {
    while (touchedAt !== null && now() - touchedAt < LONGEST_TOUCH) await new Promise((done) => setTimeout(done, 30));
  }

  // --- the socket ---

  let socket = null;
  let delay = 500;

  function connect() {
    socket = new WebSocket(document.getElementById("floor").dataset.socket);
    socket.onopen = () => {
      delay = 500;
      lostAt = null;
      read(); // what happened before it was open
    };
    socket.onmessage = (event) => {
      if (JSON.parse(event.data).type === "floor_update") read();
    };
    socket.onclose = () => {
      lostAt ??= now();
      setTimeout(connect, delay + Math.random() * 300);
      delay = Math.min(delay * 2, MOST_DELAY);
    };
  }

  function tick() {
    const every = lostAt === null ? POLL_ANYWAY_EVERY : POLL_EVERY;
    if (!document.hidden && !reading && now() - startedAt > (failed ? 2000 : every)) read();
    showConnection();
  }

  // --- the section, kept for the next visit ---

  function keepSection() {
    const nav = document.getElementById("sections");
    if (!nav || location.pathname !== "/floor") return;
    nav.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
    try {
      const kept = localStorage.getItem(SECTION);
      const link = kept && [...nav.querySelectorAll("a")].find((each) => each.dataset.section === kept);
      if (!location.search && link) {
        history.replaceState(null, "", link.href);
        read();
      }
      document.addEventListener("click", (event) => {
        const chosen = event.target.closest?.("a[data-section]");
        if (chosen) localStorage.setItem(SECTION, chosen.dataset.section);
      });
    } catch {
      // localStorage may be disabled: the section is that of the address.
    }
  }

  // --- the plan or the list, kept on this device ---

  const YEAR = 31_536_000; // seconds

  document.addEventListener("click", (event) => {
    const chosen = event.target.closest?.("a[data-view]");
    if (!chosen || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault(); // the page stays: a new one would have no sound until it is touched
    const { view } = chosen.dataset;
    document.cookie = `floorView=${view}; path=/floor; max-age=${YEAR}; samesite=lax`;
    document.getElementById("floor").dataset.view = view;
    for (const each of document.querySelectorAll("a[data-view]")) {
      if (each === chosen) each.setAttribute("aria-current", "true");
      else each.removeAttribute("aria-current");
    }
    const address = new URL(location);
    address.searchParams.delete("view");
    history.replaceState(null, "", address);
  });

  window.floorRead = read;
  keepSection();
  connect();
  setInterval(tick, 500);
  addEventListener("offline", read);
  addEventListener("online", read);
  addEventListener("pageshow", (event) => event.persisted && read());
  document.addEventListener("visibilitychange", () => document.hidden || read());
})();
