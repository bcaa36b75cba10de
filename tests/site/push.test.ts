/** Web push through the front door: what strangers may not do first, then following, renewing and ending without an account. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { pino } from "pino";
import { readConfig } from "#config";
import { seedDemoContent } from "#demo/demo-content.ts";
import { recordEvents } from "#domain/notifications/events.ts";
import { openPushKeys, resealPushKeys } from "#domain/notifications/push-keys.ts";
import type { SentSubscription } from "#shared/push.ts";
import { startWeb } from "#web/server.ts";
import { type AccountSite, startAccountSite } from "../helpers/account-site.ts";
import type { Browser } from "../helpers/browser.ts";
import { type PretendPushService, startPushService } from "../helpers/push/push-service.ts";
import { until } from "../helpers/until.ts";

const SITE = "https://play.example.org";
const SECRET = "0123456789abcdef0123456789abcdef";

describe("web push", () => {
  let service: PretendPushService;
  let site: AccountSite;
  const ids: Record<string, number> = {};
  before(async () => {
    service = await startPushService();
    site = await startAccountSite({ ...service.settings, SITE_URL: SITE, AUTH_SECRET: SECRET });
    await seedDemoContent(site.database.db);
    const rows = await site.sql<{ server_id: number }[]>`select server_id from gameserver order by 1 limit 40`;
    for (const [place, name] of ["open", "hidden", "members"].entries()) ids[name] = rows[place]?.server_id ?? 0;
    await site.sql`update gameserver set host = '192.0.2.1', game_port = 7777, adapter = 'tcp', lifecycle = 'active', visibility =
      case server_id when ${ids.hidden ?? 0} then 'hidden' when ${ids.members ?? 0} then 'members' else 'public' end`;
  });
  after(async () => {
    await site.stop();
    await service.close();
  });

  const follow = (at: Browser, subscription: SentSubscription, wanted: object = {}, locale = "en") =>
    at.postJson("/push/follow", {
      subscription,
      locale,
      follow: { server_id: ids.open, kind: "server_up", ...wanted },
    });
  const credential = ({ endpoint, keys }: SentSubscription) => ({ endpoint, auth: keys.auth });
  const told = (answer: { status: number; text: string }) => [answer.status, JSON.parse(answer.text).error];
  const count = async () => (await site.sql`select from notification_targets`).length;

  test("a subscription that is none, is elsewhere, or asks for what nobody may see leaves nothing behind", async () => {
    const at = site.browser();
    const good = service.subscribe();
    for (const endpoint of [
      "http://fcm.googleapis.com/x",
      "https://fcm.googleapis.com:8443/x",
      `https://127.0.0.1:${service.port}/x`,
      "https://[::ffff:127.0.0.1]/x",
      "https://169.254.169.254/latest/meta-data",
      "https://user:secret@fcm.googleapis.com/x",
      "https://fcm.googleapis.com.evil.example/x",
      "https://evilpush.services.mozilla.com/x",
    ])
      assert.deepEqual(told(await follow(at, { ...good, endpoint })), [400, "not_allowed"], endpoint);
    const badKeys = { ...good, keys: { p256dh: "AAAA", auth: good.keys.auth } };
    assert.deepEqual(told(await follow(at, badKeys)), [400, "not_allowed"]);
    for (const wanted of [
      { kind: "site_trouble" },
      { kind: "players_reached" },
      { kind: "server_up", threshold: 3 },
      { game_id: 1 },
      { server_id: "1" },
      { server_id: 2 ** 40 },
    ])
      assert.deepEqual(told(await follow(at, good, wanted)), [400, "unreadable"], JSON.stringify(wanted));
    for (const server_id of [999_999, ids.hidden, ids.members])
      assert.deepEqual(told(await follow(at, good, { server_id })), [404, "not_found"], String(server_id));
    const large = await at.postJson("/push/follow", { subscription: good, padding: "x".repeat(5_000) });
    assert.equal(large.status, 413);
    const cross = await at.post("/push/follow", {}, { "Sec-Fetch-Site": "cross-site" });
    assert.equal(cross.status, 403);
    assert.equal(await count(), 0);
    assert.equal(service.connections, 0);
  });

  test("whoever does not know its secret part finds a subscription as little as one that is not there", async () => {
    const at = site.browser();
    const hers = service.subscribe();
    assert.equal((await follow(at, hers)).status, 200);
    const stranger = site.browser();
    const guessed = { endpoint: hers.endpoint, auth: service.subscribe().keys.auth };
    const unknown = credential(service.subscribe());
    const mine = service.subscribe();
    for (const name of [guessed, unknown]) {
      for (const [path, body] of [
        ["follows", name],
        ["test", name],
        ["unfollow", { ...name, all: true }],
        ["renew", { old: name, subscription: mine }],
      ] as const)
        assert.deepEqual(told(await stranger.postJson(`/push/${path}`, body)), [404, "not_found"], path);
    }
    const taken = { ...hers, keys: mine.keys };
    assert.deepEqual(told(await follow(stranger, taken)), [404, "not_found"]);
    // Nor does somebody move a subscription of their own onto it.
    assert.equal((await follow(stranger, mine)).status, 200);
    const onto = await stranger.postJson("/push/renew", { old: credential(mine), subscription: taken });
    assert.deepEqual(told(onto), [404, "not_found"]);
    const [row] = await site.sql<{ all: string }[]>`
      select row_to_json(t)::text as all from notification_targets t order by created_at limit 1`;
    assert.ok(row && !row.all.includes(hers.keys.auth) && !row.all.includes("fcm"), "sealed");
    assert.equal((await at.postJson("/push/unfollow", { ...credential(hers), all: true })).status, 200);
    assert.equal((await stranger.postJson("/push/unfollow", { ...credential(mine), all: true })).status, 200);
    assert.equal(await count(), 0, "nothing is kept of whoever follows nothing");
  });

  test("one follows, sees, renews and ends without an account; a member also what is for members", async () => {
    const at = site.browser();
    const first = service.subscribe();
    const answer = await follow(at, first, { kind: "players_reached", threshold: 5 }, "de");
    assert.equal(answer.headers.get("cache-control"), "no-store");
    const [followed] = JSON.parse(answer.text).follows;
    assert.deepEqual(
      [followed.kind, followed.threshold, followed.server_id, followed.game_id, typeof followed.name],
      ["players_reached", 5, ids.open, null, "string"],
    );
    assert.equal(JSON.parse((await follow(at, first)).text).follows.length, 2);
    assert.equal(JSON.parse((await follow(at, first)).text).follows.length, 2, "twice is once");

    const second = service.subscribe();
    const renewed = await at.postJson("/push/renew", { old: credential(first), subscription: second });
    assert.equal(JSON.parse(renewed.text).follows.length, 2);
    assert.deepEqual(told(await at.postJson("/push/follows", credential(first))), [404, "not_found"]);
    const seen = await at.postJson("/push/follows", credential(second));
    assert.equal(JSON.parse(seen.text).follows.length, 2);

    const one = { ...credential(second), follow_id: followed.follow_id };
    assert.equal(JSON.parse((await at.postJson("/push/unfollow", one)).text).follows.length, 1);
    assert.deepEqual(told(await at.postJson("/push/unfollow", one)), [404, "not_found"]);
    assert.deepEqual(JSON.parse((await at.postJson("/push/unfollow", { ...credential(second), all: true })).text), {
      follows: [],
    });

    const member = await site.signedIn("ada@example.org");
    const hers = service.subscribe();
    assert.equal((await follow(member.at, hers, { server_id: ids.members })).status, 200);
    assert.deepEqual(told(await follow(member.at, hers, { server_id: ids.hidden })), [404, "not_found"]);
    const [target] = await site.sql<{ user_id: string }[]>`select user_id from notification_targets`;
    assert.equal(target?.user_id, member.user.id);
    await site.sql`delete from notification_targets`;
  });

  test("thirty follows a browser, twenty browsers an address, and one test a minute", async () => {
    const at = site.browser("198.51.100.99");
    const hers = service.subscribe();
    for (let threshold = 1; threshold <= 30; threshold += 1) {
      assert.equal((await follow(at, hers, { kind: "players_reached", threshold })).status, 200, String(threshold));
    }
    assert.deepEqual(told(await follow(at, hers, { kind: "players_reached", threshold: 31 })), [409, "too_many"]);
    for (let made = 1; made < 20; made += 1) assert.equal((await follow(at, service.subscribe())).status, 200);
    assert.deepEqual(told(await follow(at, service.subscribe())), [409, "too_many"]);
    assert.equal((await follow(site.browser("198.51.100.98"), service.subscribe())).status, 200, "nobody else's");
    assert.equal((await at.postJson("/push/test", credential(hers))).status, 200);
    const again = await at.postJson("/push/test", credential(hers));
    assert.deepEqual(told(again), [429, "often"]);
    assert.ok(Number(again.headers.get("retry-after")) > 0);
    await site.sql`delete from notification_targets`;
  });

  test("an outage reaches whoever follows it, in their language, signed and sealed; each answer does what it should", async () => {
    const at = site.browser();
    const names = ["fine", "gone", "forgotten", "late", "large", "silent", "broken", "moved"] as const;
    const browsers = Object.fromEntries(names.map((name) => [name, service.subscribe(name)]));
    for (const [name, subscription] of Object.entries(browsers)) {
      assert.equal(
        (await follow(at, subscription, { kind: "server_down" }, name === "fine" ? "de" : "en")).status,
        200,
      );
    }
    const tries = new Map<string, number>();
    service.react = (response, request) => {
      const name = request.url?.split("/").at(-1) ?? "";
      tries.set(name, (tries.get(name) ?? 0) + 1);
      const first = tries.get(name) === 1;
      if (name === "gone") response.writeHead(410).end();
      else if (name === "forgotten") response.writeHead(404).end();
      else if (name === "late" && first) response.writeHead(503).end();
      else if (name === "large") response.writeHead(413).end();
      else if (name === "silent") response.destroy();
      else if (name === "broken") response.writeHead(500).end();
      else if (name === "moved")
        response.writeHead(307, { Location: `https://fcm.googleapis.com/fcm/send/fine` }).end();
      else response.writeHead(201).end();
    };
    const { db } = site.database;
    await db.transaction(async (tx) => {
      await site.sql`update gameserver_live_metrics set status = 'offline', status_since = now() - interval '1 second',
        last_asked_at = now(), next_poll_at = now() + interval '1 hour' where server_id = ${ids.open ?? 0}`;
      const event = {
        kind: "server_down",
        about: { server_id: ids.open ?? 0 },
        dedupe_key: "server_down:test",
      } as const;
      await recordEvents(tx, [event]);
    });
    // A push service that failed is asked again after five seconds, and one that named a time not before it.
    await until("each was tried", () => tries.size === names.length);
    await until("the pauses are written", async () => {
      const [row] = await site.sql<{ n: number }[]>`
        select count(*)::int as n from notification_deliveries where state = 'waiting' and event_id is not null`;
      return row?.n === 2;
    });
    await site.sql`update notification_deliveries set next_attempt_at = now() where state = 'waiting' and event_id is not null
      and next_attempt_at between now() and now() + interval '1 minute'`;
    await site.sql`select pg_notify('deliveries', '')`;
    await until("the one that was late is told", () => tries.get("late") === 2 && tries.get("broken") === 2);
    const states = await until("what came of each is written", async () => {
      const rows = await site.sql<{ state: string }[]>`
        select state from notification_deliveries where event_id is not null`;
      return rows.every(({ state }) => state !== "sending") && rows;
    });
    const byState = Object.groupBy(states, ({ state }) => state);
    assert.equal(byState.sent?.length, 2, "fine, and late");
    assert.equal(byState.failed?.length, 2, "large, and moved, which is not followed");
    assert.equal(byState.doubtful?.length, 1, "silent: it may have arrived, and nobody is told twice");
    assert.equal(byState.waiting?.length, 1, "broken");
    assert.equal(states.length, 6, "of gone and forgotten nothing is kept");
    assert.deepEqual(
      ["fine", "gone", "forgotten", "large", "silent", "moved"].map((name) => tries.get(name)),
      [1, 1, 1, 1, 1, 1],
    );
    assert.deepEqual(service.refused, []);

    const push = service.arrived.find(({ to }) => to.endsWith("/fine"));
    const { notification } = push?.said ?? {};
    assert.equal(push?.said.web_push, 8030);
    assert.equal(notification?.lang, "de");
    assert.equal(notification?.navigate, `${SITE}/de/servers/${ids.open}`);
    assert.match(notification?.title ?? "", /^.{4,60}$/);
    assert.equal(push?.subject, SITE);
    assert.ok((push?.ttlS ?? 0) > 0 && (push?.ttlS ?? 0) <= 3_600, "no longer than it is true");
    service.react = null;
    await site.sql`delete from notification_targets`;
  });

  test("the key is one, sealed, and the same after a change of the secret; one that is lost is made anew", async () => {
    const key = async () => JSON.parse((await site.browser().get("/push/key")).text).key;
    const before = await key();
    assert.equal(await key(), before);
    const { db } = site.database;
    const pair = await openPushKeys(db, SECRET);
    assert.equal(pair.publicKey, before);
    const [row] = await site.sql<{ all: string }[]>`select row_to_json(k)::text as all from push_keys k`;
    assert.ok(row && !row.all.includes(pair.privateKey));
    const next = `${SECRET}-next`;
    await resealPushKeys(db, SECRET, next);
    assert.deepEqual(await openPushKeys(db, next), pair);
    const made = await Promise.all(Array.from({ length: 4 }, () => openPushKeys(db, `${SECRET}-lost`)));
    assert.notEqual(made[0]?.publicKey, before);
    assert.equal(new Set(made.map(({ privateKey }) => privateKey)).size, 1, "all processes have the same");
  });

  test("the key is refused while the database cannot answer, also where it was given before", async () => {
    assert.equal((await site.browser().get("/push/key")).status, 200);
    const answer = await site.sql.begin(async (tx) => {
      await tx`lock table push_keys in access exclusive mode`;
      const asked = site.browser().get("/push/key");
      // As it is when the time for an answer has run out, without the wait for it.
      await until("the question is ended", async () => {
        const ended = await site.sql`select pg_cancel_backend(pid) from pg_stat_activity
          where wait_event_type = 'Lock' and query like '%push_keys%'`;
        return ended.length > 0;
      });
      return asked;
    });
    assert.equal(answer.status, 503);
    assert.deepEqual(JSON.parse(answer.text), { error: "away" });
  });

  test("the worker is small and never kept, works offline in both languages, and gives up its subscription where push is off", async () => {
    const at = site.browser();
    const worker = await at.get("/worker.js");
    assert.match(worker.headers.get("content-type") ?? "", /^text\/javascript/);
    assert.equal(worker.headers.get("cache-control"), "no-cache");
    assert.ok(Buffer.byteLength(worker.text) <= 3_072, `${Buffer.byteLength(worker.text)} bytes`);
    for (const [locale, title] of [
      ["en", "cannot be reached"],
      ["de", "nicht zu erreichen"],
    ] as const) {
      const page = await at.get(`/push/offline/${locale}`);
      assert.match(page.text, new RegExp(`lang="${locale}"[\\s\\S]*${title}[\\s\\S]*<!--seen-->`));
      assert.match(page.headers.get("content-security-policy") ?? "", /^default-src 'none'; style-src 'sha256-/);
    }
    assert.match((await at.get("/")).headers.get("content-security-policy") ?? "", /worker-src 'self'/);

    const off = {
      PORT: "0",
      DATABASE_URL: site.database.url,
      AUTH_SECRET: SECRET,
      PUSH_HOSTS: "none",
      LOG_LEVEL: "silent",
    };
    const web = await startWeb(readConfig(off), { log: pino({ level: "silent" }) });
    try {
      const base = `http://127.0.0.1:${web.port}`;
      const without = await (await fetch(`${base}/worker.js`)).text();
      assert.match(without, /unsubscribe\(\)/);
      assert.match(without, /push\/offline/);
      assert.doesNotMatch(worker.text, /unsubscribe\(\)/);
      assert.equal((await fetch(`${base}/push/key`)).status, 404);
    } finally {
      await web.stop();
    }
  });
});
