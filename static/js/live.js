/* A socket that connects again and again. It has no heartbeat: it may look open and be dead, so the page asks now and then
   in any case (polling.js). */

// Milliseconds.
const PAUSES = [500, 1000, 2000, 4000, 5000];
const STEADY = 2000; // a socket that was open for less is no success

const now = () => performance.now();

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** `message` gets each message, `opened` and `lost` are called when the socket is. `within`: milliseconds to open it in. */
export function connect(address, { message, opened = () => {}, lost = () => {}, within = null }) {
  let socket = null;
  let attempts = 0;
  let retry = 0;
  let openedAt = null;
  let lostAt = now(); // null while it is open

  const isOpen = () => socket?.readyState === WebSocket.OPEN;

  function drop() {
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close?.();
    socket = null;
    lostAt ??= now();
  }

  function open() {
    clearTimeout(retry);
    drop();
    const opening = (socket = new WebSocket(address));
    const timeout = within && setTimeout(() => socket === opening && onLost(), within);
    opening.onopen = () => {
      clearTimeout(timeout);
      lostAt = null;
      openedAt = now();
      opened();
    };
    opening.onmessage = (event) => {
      const read = parse(event.data);
      if (read) message(read);
    };
    opening.onclose = () => {
      clearTimeout(timeout);
      onLost();
    };
  }

  function onLost() {
    if (lostAt === null && now() - openedAt > STEADY) attempts = 0;
    drop();
    clearTimeout(retry);
    retry = setTimeout(open, PAUSES[Math.min(attempts, PAUSES.length - 1)] * (1 + Math.random() / 2));
    attempts += 1;
    lost();
  }

  open();
  return {
    isOpen,
    current: () => (isOpen() ? socket : null),
    lostAt: () => lostAt,
    openedAt: () => (lostAt === null ? openedAt : null),
    /** It looks open, and is dead. */
    reconnect: open,
    /** The page is seen again, or the network is back: not after the next pause. */
    hurry() {
      if (isOpen()) return;
      attempts = 0;
      open();
    },
  };
}

/** `read` now, or once more after the one under way: what that gets may be older than what has just been done. */
export function oneAtATime(read) {
  let reading = null;
  let again = false;

  async function readUntilCurrent() {
    do {
      again = false;
      await read();
    } while (again);
  }

  return function readNow() {
    again = Boolean(reading);
    reading ??= readUntilCurrent().finally(() => {
      reading = null;
      if (again) return readNow();
    });
    return reading;
  };
}
