// The service worker: shows what arrives, opens its page, subscribes anew when the browser's subscription changes, and shows the last
// addresses while the site cannot be reached. It keeps no pages. Sent without these lines (worker.ts).
const keep = "spawnpoint-offline";
const pages = ["/push/offline/en", "/push/offline/de"];
const open = () => caches.open(keep);
const json = async (path) => (await (await open()).match(path))?.json();
const on = (event, act) => addEventListener(event, (e) => e.waitUntil(act(e)));

on("install", async () => {
  await (await open()).addAll(pages.map((page) => new Request(page, { cache: "reload" })));
  await skipWaiting();
});
on("activate", async () => {
  await registration.navigationPreload?.enable();
  await clients.claim();
});

on("push", (e) => {
  let said;
  try {
    said = e.data.json().notification;
  } catch {}
  // Whatever came: a push that shows nothing costs the right to send any.
  const { title = location.host, body, lang, tag, navigate } = said ?? {};
  const looks = { icon: "/icon-192.png", badge: "/badge-96.png" };
  return registration.showNotification(title, { ...looks, body, lang, tag, renotify: !!tag, data: navigate });
});

on("notificationclick", async (e) => {
  e.notification.close();
  // Never another site, whoever wrote it.
  const to = new URL(e.notification.data ?? "/", location.origin);
  const url = location.origin + to.pathname + to.search;
  const windows = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = windows.find((one) => one.url === url);
  return there ? there.focus() : clients.openWindow(url);
});

on("pushsubscriptionchange", async (e) => {
  const old = await json("/push/mine");
  if (!old) return;
  const options = async () => ({
    userVisibleOnly: true,
    applicationServerKey: (await (await fetch("/push/key")).json()).key,
  });
  const subscription = e.newSubscription ?? (await registration.pushManager.subscribe(await options()));
  const { endpoint, keys } = subscription.toJSON();
  const body = JSON.stringify({ old, subscription: { endpoint, keys } });
  const answer = await fetch("/push/renew", { method: "POST", body });
  const mine = JSON.stringify({ endpoint, auth: keys.auth });
  if (answer.ok) await (await open()).put("/push/mine", new Response(mine));
});

const safe = (text) => String(text).replace(/[<>&"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

async function offline(path) {
  const page = await (await open()).match(pages[/^\/de(\/|$)/.test(path) ? 1 : 0]);
  if (!page) return Response.error();
  const seen = (await json("/push/seen")) ?? [];
  const list = seen.map(
    (one) => `<li><a href="${safe(one.path)}">${safe(one.name)}</a><code>${safe(one.address)}</code>`,
  );
  const headers = new Headers({ "Content-Type": "text/html;charset=utf-8" });
  headers.set("Content-Security-Policy", page.headers.get("Content-Security-Policy"));
  return new Response(
    (await page.text()).replace("<!--seen-->", () => list.join("")),
    { status: 503, headers },
  );
}

addEventListener("fetch", (e) => {
  const { mode, method, url } = e.request;
  if (mode !== "navigate" || method !== "GET") return;
  const get = async () => (await e.preloadResponse) ?? fetch(e.request);
  // What stands in front of the site says these two when there is no site behind it.
  const down = (answer) => answer.status === 502 || answer.status === 504;
  const instead = () => offline(new URL(url).pathname);
  e.respondWith(get().then((answer) => (down(answer) ? instead() : answer), instead));
});
