/** Being told in a real browser: the site's worker shows what a push service was sent, and opens the page that it is about. */
import { type CDPSession, expect, type Page, test } from "@playwright/test";
import { recordEvents } from "#domain/notifications/events.ts";
import type { SentSubscription } from "#shared/push.ts";
import { BROWSER_ARGS, findChromium } from "../helpers/chromium.ts";
import { startPushService } from "../helpers/push/push-service.ts";
import { until } from "../helpers/until.ts";
import { startSite } from "./site.ts";

const NAME = "Valheim Vanilla";

// The headless shell refuses notifications.
test.use({
  launchOptions: { executablePath: findChromium() ?? undefined, args: BROWSER_ARGS },
  serviceWorkers: "allow",
});

test("a game server that goes down is told by the worker, leads to its page, and its address stays when the site goes too", async ({
  browser,
}) => {
  const service = await startPushService();
  const site = await startSite({ env: service.settings });
  try {
    // Nobody listens there: whoever asks it finds it down, and not that this machine cannot look a name up.
    const [server] = await site.sql<{ server_id: number }[]>`
      update gameserver set host = '127.0.0.1', game_port = 25598, query_port = null, lifecycle = 'active', visibility = 'public'
      where server_name = ${NAME} returning server_id`;
    const id = server?.server_id ?? 0;
    const context = await browser.newContext({ permissions: ["notifications"], locale: "de-DE" });
    const page = await context.newPage();
    await expect(async () => {
      await page.goto(`${site.url}/de/servers/${id}`);
      await expect(page.getByRole("heading", { name: NAME })).toBeVisible({ timeout: 5_000 });
    }).toPass();
    const worker = await startWorker(page);

    // A browser without a head has no push service: this one is subscribed to ours, through the endpoint that pages use.
    const subscription = service.subscribe();
    const followed = await page.evaluate(
      async ([body]) => (await fetch("/push/follow", { method: "POST", body: body ?? "" })).status,
      [JSON.stringify({ subscription, locale: "de", follow: { server_id: id, kind: "server_down" } })],
    );
    expect(followed).toBe(200);
    await site.db.transaction(async (tx) => {
      await site.sql`update gameserver_live_metrics set status = 'offline', status_since = now() - interval '1 second',
        last_asked_at = now(), next_poll_at = now() + interval '1 hour' where server_id = ${id}`;
      await recordEvents(tx, [{ kind: "server_down", about: { server_id: id }, dedupe_key: "server_down:journey" }]);
    });
    const push = await until("the push service has it", () => service.arrived[0]);
    await worker.deliver(JSON.stringify(push.said));
    const [shown] = await listNotifications(page);
    expect(shown?.title).toContain(NAME);
    expect(shown?.lang).toBe("de");
    expect(shown?.body).not.toBe("");

    // Clicked, it opens the page of the game server in the reader's language, on this site and no other.
    expect(await worker.click()).toEqual([`${site.url}/de/servers/${id}`]);
    await until("it is put away", async () => (await listNotifications(page)).length === 0);
    await worker.deliver(
      JSON.stringify({ notification: { title: "x", navigate: "https://evil.example/de/servers/1?a=b" } }),
    );
    expect(await listNotifications(page)).toHaveLength(1);
    expect(await worker.click()).toEqual([`${site.url}/de/servers/1?a=b`]);
    await until("the stranger's is put away", async () => (await listNotifications(page)).length === 0);
    await worker.deliver("no JSON at all");
    expect(await listNotifications(page), "something is shown whatever came").toHaveLength(1);

    // The browser gives its subscription up for another one: the worker says so, and what it follows goes along.
    const renewed = service.subscribe();
    await worker.renew({ endpoint: subscription.endpoint, auth: subscription.keys.auth }, renewed);
    const follows = await page.evaluate(
      async ([body]) => (await fetch("/push/follows", { method: "POST", body: body ?? "" })).json(),
      [JSON.stringify({ endpoint: renewed.endpoint, auth: renewed.keys.auth })],
    );
    expect(follows).toMatchObject({ follows: [{ kind: "server_down", server_id: id, name: NAME }] });

    // Now the browser has the worker, pages leave their addresses with it.
    await page.reload();
    await until("the address is kept", () =>
      page.evaluate(async () => (await (await caches.match("/push/seen"))?.text())?.includes("127.0.0.1:25598")),
    );
    await site.stop();
    await page.goto(`${site.url}/de/games/valheim`);
    await expect(page.getByRole("heading", { level: 1 })).toContainText("nicht zu erreichen");
    await expect(page.getByRole("listitem")).toContainText([NAME]);
    await expect(page.getByText("127.0.0.1:25598")).toBeVisible();
    await context.close();
  } finally {
    await site.stop();
    await service.close();
  }
});

/** Registers the worker as the page does after a press, and waits until it leads this page. */
async function startWorker(page: Page) {
  const devtools: CDPSession = await page.context().newCDPSession(page);
  const ids: string[] = [];
  devtools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
    ids.push(...registrations.filter(({ isDeleted }) => !isDeleted).map(({ registrationId }) => registrationId));
  });
  await devtools.send("ServiceWorker.enable");
  await page.evaluate(async () => {
    await navigator.serviceWorker.register("/worker.js");
    await navigator.serviceWorker.ready;
    while (!navigator.serviceWorker.controller) await new Promise((resolve) => setTimeout(resolve, 20));
  });
  const registrationId = await until("the worker is registered", () => ids[0]);
  const origin = new URL(page.url()).origin;
  await workerOf(page).evaluate(() => {
    const scope = globalThis as unknown as { registration: ServiceWorkerRegistration; shown: number };
    const show = scope.registration.showNotification.bind(scope.registration);
    scope.shown = 0;
    scope.registration.showNotification = async (title, options) => {
      await show(title, options);
      scope.shown += 1;
    };
  });
  const countShown = () => workerOf(page).evaluate(() => (globalThis as unknown as { shown: number }).shown);
  return {
    /**
     * Comes back when something was shown. Chromium forgets a notification where it is asked for all of them between keeping
     * and showing it, so nobody may look before.
     */
    async deliver(data: string) {
      const before = await countShown();
      await devtools.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data });
      await until("something is shown", async () => (await countShown()) > before);
    },
    /** Tells the worker what a browser tells it whose subscription has changed. `old`: what the page has left with it. */
    renew: (old: { endpoint: string; auth: string }, subscription: SentSubscription) =>
      workerOf(page).evaluate(
        async ([mine, now]) => {
          const cache = await caches.open("spawnpoint-offline");
          await cache.put("/push/mine", new Response(JSON.stringify(mine)));
          const { ExtendableEvent } = globalThis as unknown as {
            ExtendableEvent: new (type: string) => Event & { waitUntil(work: Promise<unknown>): void };
          };
          const event = new ExtendableEvent("pushsubscriptionchange");
          const done = new Promise((resolve) => {
            event.waitUntil = resolve;
          });
          dispatchEvent(Object.assign(event, { newSubscription: { toJSON: () => now } }));
          await await done;
        },
        [old, subscription] as const,
      ),
    /** Clicks all that is shown, as far as a script can: only a person's own click opens windows, so those are told. */
    async click(): Promise<string[]> {
      return workerOf(page).evaluate(async () => {
        const scope = globalThis as unknown as {
          registration: ServiceWorkerRegistration;
          clients: { openWindow(url: string): Promise<null>; matchAll(): Promise<[]> };
          NotificationEvent: new (
            type: string,
            init: { notification: Notification },
          ) => Event & { waitUntil(work: unknown): void };
        };
        const opened: string[] = [];
        scope.clients.openWindow = async (url) => {
          opened.push(url);
          return null;
        };
        scope.clients.matchAll = async () => [];
        for (const notification of await scope.registration.getNotifications()) {
          const event = new scope.NotificationEvent("notificationclick", { notification });
          const done = new Promise<unknown>((resolve) => {
            event.waitUntil = resolve;
          });
          dispatchEvent(event);
          // As long as the worker itself says, however busy the machine is.
          await await done;
        }
        return opened;
      });
    },
  };
}

function workerOf(page: Page) {
  const [worker] = page.context().serviceWorkers();
  if (!worker) throw new Error("there is no worker");
  return worker;
}

const listNotifications = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    const shown = (await registration?.getNotifications()) ?? [];
    return shown.map(({ title, body, lang }) => ({ title, body, lang }));
  });
