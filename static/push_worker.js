// The service worker of messages to phones. It shows them and opens their pages: it sees no request and keeps nothing.
addEventListener("push", (event) => {
  const { title, url, tag } = event.data.json();
  event.waitUntil(registration.showNotification(title, { tag, renotify: true, icon: "/venue/icons/icon-192.png", data: url }));
});

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data));
});

async function open(path) {
  const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const shown = pages.find((page) => new URL(page.url).pathname === path);
  return shown ? shown.focus() : clients.openWindow(path);
}
