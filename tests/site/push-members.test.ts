/** Push of members through the front door: what a browser may read and follow once its member is banned, gone, logged out or another. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { seedDemoContent } from "#demo/demo-content.ts";
import type { SentSubscription } from "#shared/push.ts";
import { type AccountSite, startAccountSite } from "../helpers/account-site.ts";
import type { Browser } from "../helpers/browser.ts";
import { type PretendPushService, startPushService } from "../helpers/push/push-service.ts";

describe("push of members", { timeout: 90_000 }, () => {
  let service: PretendPushService;
  let site: AccountSite;
  let open = 0;
  let closed = 0;
  before(async () => {
    service = await startPushService();
    site = await startAccountSite({ ...service.settings });
    await seedDemoContent(site.database.db);
    const rows = await site.sql<{ server_id: number }[]>`select server_id from gameserver order by 1 limit 2`;
    [open = 0, closed = 0] = rows.map(({ server_id }) => server_id);
    await site.sql`update gameserver set lifecycle = 'active', server_name = 'Secret garden', visibility = 'members'
      where server_id = ${closed}`;
    await site.sql`update gameserver set lifecycle = 'active', visibility = 'public' where server_id = ${open}`;
  });
  after(async () => {
    await site.stop();
    await service.close();
  });
  beforeEach(async () => {
    await site.sql`delete from notification_targets`;
    await site.sql`delete from rate_limits`;
  });

  const follow = (at: Browser, subscription: SentSubscription, server_id: number, kind = "server_up") =>
    at.postJson("/push/follow", { subscription, locale: "en", follow: { server_id, kind } });
  const credential = ({ endpoint, keys }: SentSubscription) => ({ endpoint, auth: keys.auth });
  const read = async (at: Browser, subscription: SentSubscription) =>
    JSON.parse((await at.postJson("/push/follows", credential(subscription))).text);
  const idsOf = ({ follows }: { follows: { server_id: number | null }[] }) => follows.map(({ server_id }) => server_id);

  let people = 0;
  /** A member whose browser follows a public game server and one for members. */
  async function subscribed() {
    people += 1;
    const email = `push-${people}@example.org`;
    const { at, user } = await site.signedIn(email);
    const subscription = service.subscribe();
    for (const id of [open, closed]) assert.equal((await follow(at, subscription, id)).status, 200);
    assert.match(JSON.stringify(await read(at, subscription)), /Secret garden/);
    return { at, user, email, subscription };
  }
  type Subscribed = Awaited<ReturnType<typeof subscribed>>;

  async function byAdmin({ user }: Subscribed, fields: Record<string, string>) {
    people += 1;
    const { at } = await site.signedInAdmin(`push-admin-${people}@example.org`);
    assert.equal((await at.post(`/admin/people/${user.id}`, fields)).status, 200);
  }

  /** Sets a new password by the mailed link. */
  async function resetPassword({ email }: Subscribed) {
    assert.equal((await site.browser().post("/forgot-password", { email })).status, 200);
    const set = await site.browser().post(await site.linkTo(email), { password: "another harbour lamp" });
    assert.equal(set.status, 200);
  }

  const refusesMembersOnly = async (at: Browser, subscription: SentSubscription) => {
    const refused = await follow(at, subscription, closed);
    assert.deepEqual([refused.status, JSON.parse(refused.text).error], [404, "not_found"]);
    assert.doesNotMatch(JSON.stringify(await read(at, subscription)), /Secret garden/);
  };

  /** Nothing is left of it, and the next person at the browser starts without follows. */
  async function isRemoved({ subscription }: Subscribed, at: Browser) {
    for (const table of ["notification_targets", "follows", "notification_watches"])
      assert.equal((await site.sql.unsafe(`select from ${table}`)).length, 0, table);
    assert.deepEqual(await read(at, subscription), { error: "not_found" });
    await refusesMembersOnly(at, subscription);
    people += 1;
    const email = `push-${people}@example.org`;
    await site.member(email);
    assert.equal((await site.signIn(at, email)).status, 302);
    assert.deepEqual(idsOf(JSON.parse((await follow(at, subscription, open, "server_down")).text)), [open]);
  }

  const ends: [name: string, end: (one: Subscribed) => Promise<unknown>][] = [
    ["a ban", (one) => byAdmin(one, { intent: "ban", reason: "Cheats", lasts: "7" })],
    ["an admin ending all sessions", (one) => byAdmin(one, { intent: "sessions" })],
    ["closing the account", ({ at }) => at.post("/user/settings/data", { confirm: "DELETE" })],
    ["a password reset", resetPassword],
    ["logging out", ({ at }) => at.post("/logout", {})],
    [
      "another member logging in there",
      async ({ at }) => {
        people += 1;
        const email = `push-${people}@example.org`;
        await site.member(email);
        // The first session ended long ago, without logging out.
        at.cookies.delete("spawnpoint_session");
        assert.equal((await site.signIn(at, email)).status, 302);
        await at.post("/logout", {});
      },
    ],
  ];
  for (const [name, end] of ends) {
    test(`${name} removes the browser with all that the member followed there`, async () => {
      const one = await subscribed();
      assert.equal((await follow(one.at, one.subscription, open, "seat_free")).status, 200);
      assert.equal((await site.sql`select from notification_watches`).length, 1);
      await end(one);
      assert.equal(await site.isSignedIn(one.at), false);
      await isRemoved(one, one.at);
    });
  }

  test("ending all other sessions removes the other browsers and keeps this one", async () => {
    const one = await subscribed();
    const elsewhere = site.browser();
    assert.equal((await site.signIn(elsewhere, one.email)).status, 302);
    const other = service.subscribe();
    for (const id of [open, closed]) assert.equal((await follow(elsewhere, other, id)).status, 200);
    assert.equal((await one.at.post("/user/settings/security", { intent: "sessions-end-others" })).status, 200);
    assert.deepEqual(idsOf(await read(one.at, one.subscription)).sort(), [open, closed].sort());
    assert.match(JSON.stringify(await read(one.at, one.subscription)), /Secret garden/);
    assert.deepEqual(await read(elsewhere, other), { error: "not_found" });
    assert.equal((await site.sql`select from notification_targets`).length, 1);
  });

  test("logging out leaves the member's other browsers as they are", async () => {
    const one = await subscribed();
    const elsewhere = site.browser();
    assert.equal((await site.signIn(elsewhere, one.email)).status, 302);
    const other = service.subscribe();
    assert.equal((await follow(elsewhere, other, closed)).status, 200);
    await one.at.post("/logout", {});
    assert.match(JSON.stringify(await read(elsewhere, other)), /Secret garden/);
  });

  test("an account that is banned or closed in any other way reads and follows nothing that is for members", async () => {
    for (const set of [
      "banned_until = 'infinity'",
      "banned_until = now() + interval '1 hour'",
      "deactivated_at = now()",
    ]) {
      const { at, user, subscription } = await subscribed();
      await site.sql.unsafe(`update users set ${set} where user_id = '${user.id}'`);
      await refusesMembersOnly(at, subscription);
    }
  });

  test("the subscription alone, without its member's session, names nothing that is for members", async () => {
    const { subscription } = await subscribed();
    const nobody = site.browser();
    assert.deepEqual(idsOf(await read(nobody, subscription)).sort(), [open, closed].sort());
    await refusesMembersOnly(nobody, subscription);
    assert.equal(
      (await site.sql`select from notification_targets where user_id is not null`).length,
      1,
      "still theirs",
    );
  });

  test("the follows of one member never pass to another in the same browser", async () => {
    const { user, subscription } = await subscribed();
    const second = await site.signedIn("push-second@example.org");
    assert.deepEqual(await read(second.at, subscription), { follows: [] }, "they aren't shown");
    for (const [path, body] of [
      [
        "unfollow",
        { follow_id: (await site.sql<{ follow_id: string }[]>`select follow_id from follows limit 1`)[0]?.follow_id },
      ],
      ["test", {}],
    ] as const) {
      const refused = await second.at.postJson(`/push/${path}`, { ...credential(subscription), ...body });
      assert.equal(refused.status, 404, path);
    }
    const pressed = await follow(second.at, subscription, open);
    assert.deepEqual(idsOf(JSON.parse(pressed.text)), [open]);
    assert.deepEqual(
      [
        ...(await site.sql`select user_id, count(*)::int as n from notification_targets join follows using (target_id) group by 1`),
      ].map((row) => ({ ...row })),
      [{ user_id: second.user.id, n: 1 }],
    );
    assert.equal((await site.sql`select from notification_targets where user_id = ${user.id}`).length, 0);
  });
});
