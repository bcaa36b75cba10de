/** What operators are told, and where: channels and rules through the admin's pages, a receiver that verifies, moved clocks. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { Webhook } from "standardwebhooks";
import { readConfig } from "#config";
import { updateRole } from "#domain/members/roles.ts";
import { recordEvent } from "#domain/notifications/events.ts";
import { lookForTroubles } from "#jobs/site-troubles.ts";
import { type AccountSite, startAccountSite } from "../helpers/account-site.ts";
import type { Browser } from "../helpers/browser.ts";
import { type MailServer, startMailServer } from "../helpers/mail-server.ts";
import { until as untilHolds } from "../helpers/until.ts";

const CHANNELS = "/admin/notifications/channels";
const ADD = (kind: string) => `${CHANNELS}/add/${kind}`;
const RULES = "/admin/notifications/rules";

/** Long enough for a machine that does much else. */
const until = (holds: () => boolean | Promise<boolean>) => untilHolds("it comes true", holds);

type Heard = { headers: Record<string, string>; body: string };
type Told = { type: string; data: { server: { id: number; name: string; url: string } | null; title: string } };

describe("what operators are told", () => {
  let site: AccountSite;
  let mails: MailServer;
  let at: Browser;
  let port: number;
  const heard: Heard[] = [];
  let answer: [status: number, text: string] = [200, "thanks"];
  const receiver = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      heard.push({ headers: request.headers as Record<string, string>, body: Buffer.concat(parts).toString() });
      response.writeHead(answer[0]).end(answer[1]);
    });
  });

  before(async () => {
    receiver.listen(0, "127.0.0.1");
    await once(receiver, "listening");
    port = (receiver.address() as AddressInfo).port;
    mails = await startMailServer();
    site = await startAccountSite({
      PROBE_ALLOW_CIDRS: "127.0.0.1/32",
      SMTP_URL: mails.url,
      MAIL_FROM: "s@example.org",
    });
    const admin = await site.member("boss@example.org");
    await updateRole(site.database.db, admin.id, "admin");
    at = site.browser();
    assert.equal((await site.signIn(at, "boss@example.org")).status, 302);
  });
  after(async () => {
    await site.stop();
    await mails.close();
    receiver.closeAllConnections();
    receiver.close();
  });

  const secretIn = (text: string) => /whsec_[\w+/=]+/.exec(text)?.[0];
  const makeWebhook = async (name: string) => {
    const made = await at.post(ADD("webhook"), { name, url: `http://127.0.0.1:${port}/${name}` });
    assert.equal(made.status, 200, made.text);
    const [row] = await site.sql<
      { target_id: string }[]
    >`select target_id from notification_targets where name = ${name}`;
    return { id: String(row?.target_id), secret: secretIn(made.text) ?? "" };
  };
  const told = (): Told[] => heard.map(({ body }) => JSON.parse(body) as Told);
  const mailsOf = (server: string) => mails.received.filter(({ raw }) => raw.includes(server)).length;

  let servers = 0;
  /** A game server of a game of its own, which is as said. */
  async function addServer(name: string, visibility = "public") {
    servers += 1;
    const [game] = await site.sql<{ game_id: number }[]>`
      insert into games (game_name, game_acronym, game_slug, tagline, description, published)
      values (${`Game ${servers}`}, ${`G${servers}`}, ${`game-${servers}`}, '{"en":""}', '{"en":""}', true) returning game_id`;
    const [made] = await site.sql<{ server_id: number }[]>`
      insert into gameserver (server_name, game_id, host, game_port, adapter, visibility, lifecycle, demo)
      values (${name}, ${game?.game_id ?? 0}, 'play.example.org', 2456, 'a2s', ${visibility}, 'active', false) returning server_id`;
    return { name, server_id: made?.server_id ?? 0, game_id: game?.game_id ?? 0 };
  }
  type Server = Awaited<ReturnType<typeof addServer>>;
  let turns = 0;
  /** It went down or came back so many minutes ago, and was asked just now. */
  async function turn({ server_id }: Server, kind: "server_down" | "server_up", minutes: number) {
    turns += 1;
    const status = kind === "server_down" ? "offline" : "online";
    const happened_at = new Date(Date.now() - minutes * 60_000);
    await site.sql`
      insert into gameserver_live_metrics (server_id) values (${server_id}) on conflict do nothing`;
    await site.sql`
      update gameserver_live_metrics set status = ${status}, status_since = ${happened_at.toISOString()}::timestamptz, last_asked_at = now(),
        first_asked_at = now(), last_answered_at = now() where server_id = ${server_id}`;
    await recordEvent(site.database.db, { kind, about: { server_id }, happened_at, dedupe_key: `${kind}:${turns}` });
  }
  const settled = () =>
    until(async () => (await site.sql`select 1 from notification_events where fanned_out_at is null`).length === 0);
  const deliveriesOf = ({ server_id }: Server) =>
    site.sql<{ kind: string; state: string; minutes: number }[]>`
      select e.kind, d.state, round(extract(epoch from d.next_attempt_at - e.happened_at) / 60)::int as minutes
      from notification_deliveries d join notification_events e using (event_id)
      where e.server_id = ${server_id} order by d.created_at, e.event_id`;
  const statesOf = async (server: Server) => (await deliveriesOf(server)).map(({ kind, state }) => `${kind} ${state}`);

  test("an address that is closed makes no channel, and nothing is sent there", async () => {
    const seen = heard.length;
    const closed = [
      ...[
        `http://127.0.0.2:${port}/`,
        `https://[::ffff:127.0.0.1]:${port}/`,
        "https://169.254.169.254/",
        "https://10.0.0.1/",
      ],
      ...["http://9.9.9.9/", "ftp://9.9.9.9/", "https://a:b@9.9.9.9/", "not an address", "https://9.9.9.9:5432/"],
    ];
    for (const url of closed) assert.equal((await at.post(ADD("webhook"), { name: "x", url })).status, 422, url);
    for (const fields of [
      { name: "", url: "https://9.9.9.9/" },
      { name: "x".repeat(61), url: "https://9.9.9.9/" },
    ])
      assert.equal((await at.post(ADD("webhook"), fields)).status, 422);
    assert.equal((await at.get(ADD("push"))).status, 404);
    assert.equal((await at.post(ADD("mail"), { name: "x", to: "a@b.org\r\nBcc: c@d.org" })).status, 422);
    assert.equal((await site.sql`select 1 from notification_targets where name is not null`).length, 0);
    assert.equal(heard.length, seen);
  });

  test("a webhook's secret is told once, kept sealed, and renewed with a day for both", async () => {
    const { id, secret } = await makeWebhook("once");
    assert.match(secret, /^whsec_[\w+/]{43}=$/);
    assert.equal((await at.post(ADD("webhook"), { name: "y", url: `http://127.0.0.1:${port}/once` })).status, 409);
    const held = await site.sql`select * from notification_targets where target_id = ${id}`;
    const audited = await site.sql`select * from audit_events where what like 'notification-%'`;
    const pages = [await at.get(CHANNELS), await at.get(`${CHANNELS}/${id}`), await at.get("/admin/audit")];
    for (const text of [JSON.stringify(held), JSON.stringify(audited), ...pages.map((page) => page.text)]) {
      assert.ok(!text.includes(secret.slice(6)), "the secret is told again");
      assert.ok(!text.includes(`${port}/once`), "the address's path is told");
    }
    assert.equal(audited.length, 1);

    const renewed = secretIn((await at.post(`${CHANNELS}/${id}`, { intent: "renew" })).text) ?? "";
    assert.notEqual(renewed, secret);
    await at.post(`${CHANNELS}/${id}`, { intent: "test" });
    const got = heard.at(-1);
    assert.ok(got);
    for (const known of [secret, renewed]) new Webhook(known).verify(got.body, got.headers);
    assert.throws(() => new Webhook("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").verify(got.body, got.headers));
  });

  test("a test shows the receiver's own words, as words", async () => {
    const { id, secret } = await makeWebhook("words");
    answer = [200, "<b>hello</b>\u202e\r\nyou"];
    const taken = await at.post(`${CHANNELS}/${id}`, { intent: "test" });
    const got = heard.at(-1);
    assert.ok(got);
    const sent = new Webhook(secret).verify(got.body, got.headers) as { type: string };
    assert.equal(sent.type, "test");
    assert.match(taken.text, /It was taken/);
    assert.match(taken.text, /200 &lt;b&gt;hello&lt;\/b&gt; you/);
    answer = [500, "<script>alert(1)</script>"];
    const refused = await at.post(`${CHANNELS}/${id}`, { intent: "test" });
    assert.match(refused.text, /It refused it.*500 &lt;script&gt;/s);
    assert.ok(!refused.text.includes("<script>alert"));
    answer = [200, "thanks"];
  });

  test("a service's settings are checked, sealed and never shown, and its rule sends to it", async () => {
    const token = `12:${"s".repeat(35)}`;
    const given = { name: "Team chat", server: `http://127.0.0.1:${port}`, token, chat: "-100", topic: "" };
    for (const wrong of [
      { token: "12" },
      { chat: "" },
      { chat: "a b" },
      { server: "ftp://127.0.0.1/" },
      { topic: "x" },
    ])
      assert.equal((await at.post(ADD("telegram"), { ...given, ...wrong })).status, 422, JSON.stringify(wrong));
    assert.equal((await at.post(ADD("telegram"), { ...given, server: "http://127.0.0.2/" })).status, 422);
    const made = await at.post(ADD("telegram"), given);
    const page = made.headers.get("Location") ?? "";
    assert.match(page, /^\/admin\/notifications\/channels\/[\w-]{36}\?done=added$/);
    assert.equal((await at.post(ADD("telegram"), given)).status, 409);
    const id = page.slice(CHANNELS.length + 1, CHANNELS.length + 37);
    const stored = await site.sql`select * from notification_targets where target_id = ${id}`;
    for (const text of [JSON.stringify(stored), (await at.get(CHANNELS)).text, (await at.get(page)).text])
      assert.ok(!text.includes(token), "the token is shown");

    heard.length = 0;
    assert.match((await at.post(`${CHANNELS}/${id}`, { intent: "test" })).text, /It was taken/);
    assert.match(heard[0]?.body ?? "", /"chat_id":"-100","text":"Test message/);
    const server = await addServer("ByTelegram");
    await at.post(RULES, { topic: "outages", about: `server:${server.server_id}`, to: id, minutes: "0" });
    await turn(server, "server_down", 0.1);
    await until(() => heard.length === 2);
    assert.match(heard[1]?.body ?? "", /"text":"ByTelegram is down/);
  });

  test("an outage of five minutes is told once and its end too; one of four minutes never", async () => {
    assert.match((await at.get(RULES)).text, /once it lasts 5 minutes/);
    const [long, short] = [await addServer("LongOutage"), await addServer("ShortOutage")];
    await turn(long, "server_down", 5);
    await turn(short, "server_down", 4);
    await until(() => mailsOf("LongOutage") === 1);
    await settled();
    const [waiting] = await deliveriesOf(short);
    assert.deepEqual([waiting?.state, waiting?.minutes], ["waiting", 5]);

    await turn(short, "server_up", 0.02);
    await turn(long, "server_up", 0.02);
    await settled();
    // Five minutes are over.
    await site.sql`update notification_deliveries set next_attempt_at = now() where state = 'waiting'`;
    await site.sql`select pg_notify('deliveries', '')`;
    await until(() => mailsOf("LongOutage") === 2);
    await until(async () => (await statesOf(short)).join() === "server_down untrue");
    // A mail is there before its row says so.
    await until(async () => (await statesOf(long)).join() === "server_down sent,server_up sent");
    assert.equal(mailsOf("ShortOutage"), 0);

    // The next one within the hour is told when the hour is over, if it lasts.
    await turn(long, "server_down", 5);
    await settled();
    const [, , third] = await deliveriesOf(long);
    assert.equal(third?.state, "waiting");
    assert.ok((third?.minutes ?? 0) >= 60, `${third?.minutes}`);
    assert.equal(mailsOf("LongOutage"), 2);
  });

  test("a rule is of one game server, one game or all; hidden ones only where it says so", async () => {
    const { id } = await makeWebhook("ruled");
    const [one, other, hidden] = [
      await addServer("One"),
      await addServer("Other"),
      await addServer("Hidden", "hidden"),
    ];
    const rule = (about: string, more: Record<string, string> = {}) =>
      at.post(RULES, { topic: "outages", about, to: id, minutes: "0", ...more });
    assert.equal((await rule("server:999999")).status, 409);
    assert.equal((await rule("nonsense")).status, 422);
    assert.equal((await rule("all", { minutes: "61" })).status, 422);
    assert.equal((await at.post(RULES, { about: "all", to: id, minutes: "0" })).status, 422);
    // Everybody reads along in Discord.
    const [discord] = await site.sql<{ target_id: string }[]>`
      insert into notification_targets (kind, name, address_hash) values ('discord', 'Public', 'in discord') returning target_id`;
    const toDiscord = { to: String(discord?.target_id), topic: "troubles" };
    const leaked = await rule("all", toDiscord);
    assert.deepEqual([leaked.status, /Choose another channel/.test(leaked.text)], [422, true]);
    assert.equal((await rule("all", { ...toDiscord, topic: "news" })).status, 200);
    // One that a version before let be made tells it nothing either.
    await site.sql`insert into notification_rules (kinds, target_id) values ('{site_trouble,news}', ${toDiscord.to})`;
    await recordEvent(site.database.db, { kind: "site_trouble", about: {}, dedupe_key: "site_trouble:public" });
    await settled();
    assert.equal((await site.sql`select from notification_deliveries where target_id = ${toDiscord.to}`).length, 0);
    await site.sql`delete from notification_targets where target_id = ${toDiscord.to}`;
    assert.equal((await rule(`server:${one.server_id}`)).status, 200);
    const named = () => told().map(({ type, data }) => `${type} ${data.server?.name}`);
    heard.length = 0;
    for (const server of [one, other, hidden]) await turn(server, "server_down", 0.1);
    await settled();
    await until(() => heard.length === 1);
    assert.deepEqual(named(), ["server_down One"]);
    assert.equal(new URL(told()[0]?.data.server?.url ?? "").pathname, `/servers/${one.server_id}`);

    assert.equal((await rule(`game:${hidden.game_id}`)).status, 200);
    await turn(hidden, "server_down", 0.1);
    await settled();
    assert.equal((await rule(`game:${hidden.game_id}`, { with_hidden: "on" })).status, 200);
    await turn(hidden, "server_down", 0.1);
    await until(() => heard.length === 2);
    assert.deepEqual(named(), ["server_down One", "server_down Hidden"]);

    const [row] = await site.sql<
      { rule_id: number }[]
    >`select rule_id from notification_rules where server_id = ${one.server_id}`;
    const off = { intent: "switch", rule_id: String(row?.rule_id), on: "no" };
    assert.equal((await at.post(RULES, off)).status, 200);
    await turn(one, "server_up", 0.02);
    await settled();
    assert.deepEqual(named(), ["server_down One", "server_down Hidden"]);
    assert.equal((await at.post(RULES, { intent: "remove", rule_id: String(row?.rule_id) })).status, 200);
    assert.equal((await at.post(RULES, off)).status, 410);
  });

  test("a channel is given up after three days of failure; what failed is shown and sent again with the same id", async () => {
    const { id, secret } = await makeWebhook("failing");
    const server = await addServer("Failing");
    await at.post(RULES, { topic: "outages", about: `server:${server.server_id}`, to: id, minutes: "0" });
    answer = [503, "not <i>today</i>"];
    heard.length = 0;
    await turn(server, "server_down", 0.1);
    const failing = async () => (await at.get("/admin/notifications")).text;
    await until(async () => /not &lt;i&gt;today/.test(await failing()));
    assert.match(await failing(), /Down<!-- --> · <!-- -->Failing|Down · Failing/);
    const isDead = async () =>
      (await site.sql`select 1 from notification_targets where target_id = ${id} and dead_at is not null`).length === 1;
    const tryAgain = async () => {
      const before = heard.length;
      await site.sql`update notification_deliveries set next_attempt_at = now() where state = 'waiting' and channel = 'webhook'`;
      await site.sql`select pg_notify('deliveries', '')`;
      await until(async () => heard.length > before && (await statesOf(server)).includes("server_down waiting"));
    };
    // It failed once, and nothing was to be told for three days: that is no failure of three days.
    await site.sql`update notification_targets set failing_since = now() - interval '73 hours' where target_id = ${id}`;
    await tryAgain();
    assert.equal(await isDead(), false, "silence is no failure");
    await site.sql`insert into notification_deliveries (event_id, target_id, channel, dedupe_key, state, attempts, created_at, next_attempt_at)
      select event_id, target_id, channel, dedupe_key || day, 'expired', 3, now() - day * interval '1 day', null
      from notification_deliveries, generate_series(1, 2) day where target_id = ${id}`;
    await site.sql`update notification_deliveries set next_attempt_at = now() where state = 'waiting' and channel = 'webhook'`;
    await site.sql`select pg_notify('deliveries', '')`;
    await until(isDead);
    await site.sql`delete from notification_deliveries where target_id = ${id} and state = 'expired'`;
    const tries = heard.length;
    await site.sql`update notification_deliveries set next_attempt_at = now() where state = 'waiting' and channel = 'webhook'`;
    await site.sql`select pg_notify('deliveries', '')`;
    await until(async () => (await statesOf(server)).includes("server_down dead"));
    assert.equal(heard.length, tries);
    assert.match((await at.get(CHANNELS)).text, /Given up/);

    const [row] = await site.sql<{ delivery_id: string }[]>`
      select delivery_id from notification_deliveries where target_id = ${id}`;
    const again = { delivery_id: String(row?.delivery_id) };
    answer = [200, "at last"];
    assert.equal((await at.post(`${CHANNELS}/${id}`, { intent: "revive" })).status, 200);
    assert.match((await at.get("/admin/notifications?part=dead")).text, /Send again/);
    assert.equal((await at.post("/admin/notifications", again)).status, 200);
    await until(async () => (await statesOf(server)).includes("server_down sent"));
    assert.equal(new Set(heard.map(({ headers }) => headers["webhook-id"])).size, 1);
    for (const { body, headers } of heard) new Webhook(secret).verify(body, headers);
    assert.equal((await at.post("/admin/notifications", again)).status, 410);
    assert.equal((await at.post("/admin/notifications", { delivery_id: "nonsense" })).status, 410);

    assert.equal((await at.post(`${CHANNELS}/${id}/remove`, { confirm: "other" })).status, 422);
    assert.equal((await at.post(`${CHANNELS}/${id}/remove`, { confirm: "failing" })).status, 302);
    assert.equal((await site.sql`select 1 from notification_rules where target_id = ${id}`).length, 0);
  });

  test("a trouble of the site is told once, and once more when it is over for a while", async () => {
    const config = readConfig({ DATABASE_URL: site.database.url, DATA_DIR: site.dataDir });
    const look = (days: number | null) => lookForTroubles({ db: site.database.db, config, certificate: () => days });
    const toldOf = async () =>
      (
        await site.sql<{ told: string }[]>`
          select kind || ': ' || (facts->'title'->>'en') as told from notification_events
          where subject_id = 'certificate' order by event_id`
      ).map((row) => row.told);
    await look(60);
    assert.deepEqual(await toldOf(), []);
    for (const days of [13, 12, 60, 11]) await look(days);
    assert.deepEqual(await toldOf(), ["site_trouble: The certificate ends soon"]);
    await until(() => mailsOf("The certificate ends soon") === 1);
    await site.sql`update site_troubles set last_seen_at = now() - interval '16 minutes'`;
    await look(60);
    await look(60);
    assert.deepEqual(await toldOf(), [
      "site_trouble: The certificate ends soon",
      "site_trouble_over: The certificate ends soon",
    ]);
    await until(() => mailsOf("Solved: The certificate ends soon") === 1);
  });

  test("whoever removes the rules of the start has them not come back", async () => {
    for (const { rule_id } of await site.sql<{ rule_id: number }[]>`select rule_id from notification_rules`)
      await at.post(RULES, { intent: "remove", rule_id: String(rule_id) });
    assert.match((await at.get(RULES)).text, /There is no rule/);
  });
});
