/** How many browsers the site registers for push: from one network, of strangers all together, and of one member, also at once. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { pino } from "pino";
import { seedDemoContent } from "#demo/demo-content.ts";
import { type AccountSite, startAccountSite } from "../helpers/account-site.ts";
import type { Browser } from "../helpers/browser.ts";
import { type PretendPushService, startPushService } from "../helpers/push/push-service.ts";
import { until } from "../helpers/until.ts";

describe("push limits", { timeout: 300_000 }, () => {
  let service: PretendPushService;
  let site: AccountSite;
  let open = 0;
  const logged: string[] = [];
  before(async () => {
    service = await startPushService();
    const log = pino({ level: "warn" }, { write: (line) => void logged.push(line) });
    site = await startAccountSite({ ...service.settings }, undefined, log);
    await seedDemoContent(site.database.db);
    const [row] = await site.sql<
      { server_id: number }[]
    >`update gameserver set lifecycle = 'active', visibility = 'public'
      where server_id = (select min(server_id) from gameserver) returning server_id`;
    open = row?.server_id ?? 0;
  });
  after(async () => {
    await site.stop();
    await service.close();
  });
  beforeEach(async () => {
    await site.sql`delete from notification_targets`;
    await site.sql`delete from rate_limits`;
  });

  const follow = async (at: Browser, subscription = service.subscribe()) => {
    const wanted = { subscription, locale: "en", follow: { server_id: open, kind: "server_up" } };
    const { status, text } = await at.postJson("/push/follow", wanted);
    return [status, JSON.parse(text).error];
  };
  const register = async (at: Browser, subscription = service.subscribe()) =>
    assert.deepEqual(await follow(at, subscription), [200, undefined]);
  /** A browser at an address, in which a member is logged in. */
  async function loggedIn(email: string, ip: string): Promise<Browser> {
    const at = site.browser(ip);
    assert.equal((await site.signIn(at, email)).status, 302);
    return at;
  }
  /** Sends two requests so that neither has written its target before the other began. Returns the status codes. */
  async function bothAtOnce(first: () => ReturnType<typeof follow>, second: () => ReturnType<typeof follow>) {
    const sent = await site.sql.begin(async (tx) => {
      await tx`lock table notification_targets in share row exclusive mode`;
      const answers = [first(), second()];
      await until("both wait for a lock", async () => {
        const waiting = await site.sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        return waiting.length === 2;
      });
      return answers;
    });
    return (await Promise.all(sent)).map(([status]) => status).sort();
  }
  /** Registers `more` browsers like the newest target; `from`: what they share with it. */
  async function copy(more: number, from: "client" | "network" | "elsewhere") {
    const [newest] = await site.sql`select target_id from notification_targets order by created_at desc limit 1`;
    // A statement of the site's has a deadline, which fifty thousand rows at once exceed on a slow machine.
    for (let done = 0; done < more; done += 2_000) {
      await site.sql`
        insert into notification_targets (kind, user_id, address_hash, address_sealed, created_from, created_from_network)
        select 'push', user_id, gen_random_uuid(), address_sealed,
          case when ${from === "client"} then created_from else 'elsewhere ' || n end,
          case when ${from !== "elsewhere"} then created_from_network else 'elsewhere ' || n end
        from notification_targets, generate_series(${done + 1}::int, ${Math.min(done + 2_000, more)}::int) n
        where target_id = ${newest?.target_id}`;
    }
  }

  test("two hundred from one /48, whichever /64s they come from; another /48 and a member in the full one aren't refused", async () => {
    await register(site.browser("2001:db8:9:1::1"));
    await copy(198, "network");
    await register(site.browser("2001:db8:9:2::1"));
    assert.deepEqual(await follow(site.browser("2001:db8:9:ffff::1")), [409, "too_many"]);
    await register(site.browser("2001:db8:a::1"));
    await site.member("neighbour@example.org");
    await register(await loggedIn("neighbour@example.org", "2001:db8:9:3::1"));
  });

  test("fifty thousand of strangers all together; who is registered goes on, and members aren't refused", async () => {
    const first = site.browser();
    const subscription = service.subscribe();
    await register(first, subscription);
    await copy(49_999, "elsewhere");
    for (let refused = 0; refused < 3; refused += 1) {
      assert.deepEqual(await follow(site.browser()), [409, "too_many"]);
    }
    assert.equal(logged.length, 1, "the log says it once an hour");
    assert.match(String(logged), /strangers have as many push subscriptions/);
    await register(first, subscription);
    const { at } = await site.signedIn("welcome@example.org");
    await register(at);
  });

  test("twenty browsers of one member, and those of strangers at the same address don't count", async () => {
    const ip = "198.51.100.7";
    await register(site.browser(ip));
    await copy(19, "client");
    assert.deepEqual(await follow(site.browser(ip)), [409, "too_many"]);
    await site.member("many@example.org");
    const at = await loggedIn("many@example.org", ip);
    const subscription = service.subscribe();
    await register(at, subscription);
    await copy(18, "client");
    await register(at);
    assert.deepEqual(await follow(at), [409, "too_many"]);
    await register(at, subscription);
  });

  test("a member who is refused another member's browser takes nothing from them", async () => {
    const hers = service.subscribe();
    const { at: her, user } = await site.signedIn("hers@example.org");
    await register(her, hers);
    const { at: his } = await site.signedIn("full@example.org");
    await register(his);
    await copy(19, "client");
    assert.deepEqual(await follow(his, hers), [409, "too_many"]);
    const left =
      await site.sql`select from notification_targets join follows using (target_id) where user_id = ${user.id}`;
    assert.equal(left.length, 1);
  });

  test("two networks that register one new endpoint at once: only the one whose secret was stored gets it", async () => {
    const real = service.subscribe();
    const guessed = { ...real, keys: service.subscribe().keys };
    const statuses = await bothAtOnce(
      () => follow(site.browser("192.0.2.1"), real),
      () => follow(site.browser("198.51.100.1"), guessed),
    );
    assert.deepEqual(statuses, [200, 404]);
  });

  test("requests at once from two networks exceed neither a member's twenty nor the fifty thousand of strangers", async () => {
    await site.member("quick@example.org");
    const [one, two] = [
      await loggedIn("quick@example.org", "192.0.2.1"),
      await loggedIn("quick@example.org", "198.51.100.1"),
    ];
    await register(one);
    await copy(18, "client");
    assert.deepEqual(
      await bothAtOnce(
        () => follow(one),
        () => follow(two),
      ),
      [200, 409],
    );

    await site.sql`delete from notification_targets`;
    await register(site.browser());
    await copy(49_998, "elsewhere");
    const [third, fourth] = [site.browser("192.0.2.1"), site.browser("198.51.100.1")];
    assert.deepEqual(
      await bothAtOnce(
        () => follow(third),
        () => follow(fourth),
      ),
      [200, 409],
    );
  });
});
