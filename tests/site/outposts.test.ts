/** What outposts may hand in and are handed: refusals first. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createOutpost, listOutposts, revokeOutpost } from "#domain/outposts/outposts.ts";
import {
  NONCE_HEADER,
  type OutpostResult,
  SIGNATURE_HEADER,
  signWork,
  WORK_PATH,
  type WorkReplySent,
} from "#domain/outposts/wire.ts";
import { valuesOf } from "#tests/helpers/values-of.ts";
import { type AccountSite, startAccountSite } from "../helpers/account-site.ts";
import { until } from "../helpers/until.ts";

type Sent = { token: string; nonce?: string | null; body?: unknown; ip?: string; signature?: string };

describe("outposts", () => {
  let site: AccountSite;
  let adminId: string;
  let gameId: number;
  before(async () => {
    site = await startAccountSite({ PROBE_ALLOW_CIDRS: "198.51.100.0/24,9.9.9.0/24" });
    adminId = (await site.member("boss@example.org")).id;
    await site.sql`delete from gameserver`;
    const [game] = await site.sql<{ game_id: number }[]>`
      insert into games (game_name, game_acronym, game_slug, tagline, description)
      values ('Now', 'N', 'now', '{"en":""}', '{"en":""}') returning game_id`;
    gameId = game?.game_id ?? 0;
  });
  after(() => site.stop());

  const actor = () => ({ user_id: adminId, origin: { ip: "198.18.0.1", user_agent: "test" } });
  let names = 0;
  async function makeOutpost(name = `Place ${++names}`) {
    const made = await createOutpost(site.database.db, actor(), { name });
    assert.ok(made.ok);
    return made.token;
  }
  const report = (results: unknown[] = [], more: object = {}) => ({
    version: "0.1.0",
    list: null,
    date_ms: Date.now(),
    round_trip_ms: 20,
    results,
    ...more,
  });
  let addresses = 0;
  async function send({ token, nonce = null, body = report(), ip, signature }: Sent) {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    addresses += 1;
    const answer = await fetch(`${site.base}${WORK_PATH}`, {
      method: "POST",
      body: text,
      headers: {
        Authorization: `Bearer ${token}`,
        "X-Forwarded-For": ip ?? `198.18.9.${addresses % 250}`,
        ...(nonce === null && signature === undefined
          ? {}
          : { [SIGNATURE_HEADER]: signature ?? signWork(token, nonce ?? "", text) }),
      },
    });
    return { status: answer.status, nonce: answer.headers.get(NONCE_HEADER), text: await answer.text() };
  }
  /** Begins, and sends reports one after the other, each signed with what the one before was told. */
  async function begin(token: string) {
    let nonce = (await send({ token })).nonce;
    return {
      nonce: () => nonce,
      async report(results: unknown[] = [], more: object = {}) {
        const answer = await send({ token, nonce, body: report(results, more) });
        assert.equal(answer.status, 200, answer.text);
        const reply = JSON.parse(answer.text) as WorkReplySent;
        nonce = reply.nonce;
        return reply;
      },
    };
  }
  async function addServer(given: Record<string, unknown> = {}): Promise<number> {
    const row = {
      host: "play.example.org",
      game_port: 2456,
      adapter: "a2s",
      visibility: "public",
      lifecycle: "active",
      demo: false,
      ...given,
    };
    const [made] = await site.sql<{ server_id: number }[]>`
      insert into gameserver ${valuesOf({ server_name: "one", game_id: gameId, ...row })} returning server_id`;
    return made?.server_id ?? 0;
  }
  const stored = () =>
    site.sql<{ server_id: number; ok: boolean; age_s: number }[]>`
      select server_id, ok, extract(epoch from now() - asked_at)::float8 as age_s from outpost_results order by server_id`;
  const resultOf = (target: { server_id: number; target_key: string }, more: Partial<OutpostResult> = {}) => ({
    server_id: target.server_id,
    target_key: target.target_key,
    failure: null,
    latency_ms: 12,
    age_ms: 500,
    ...more,
  });
  const listed = async (outpost: Awaited<ReturnType<typeof begin>>) =>
    ((await outpost.report()).targets ?? []) as { server_id: number; target_key: string; host: string }[];

  test("no token, a wrong one, another program's: 401, and who guesses on is shut out", async () => {
    for (const token of ["", "spo_short", `spo_${"a".repeat(43)}`, `spk_${"a".repeat(43)}`]) {
      assert.equal((await send({ token })).status, 401, token);
    }
    const guesses = [];
    for (let n = 0; n < 25; n++)
      guesses.push((await send({ token: `spo_${String(n).padStart(43, "b")}`, ip: "198.18.8.1" })).status);
    assert.deepEqual([...new Set(guesses)], [401, 429]);
    assert.equal((await fetch(`${site.base}${WORK_PATH}`)).status, 404);
  });

  test("what is not signed with the present nonce is not taken; a report that is sent again counts once", async () => {
    const id = await addServer();
    const token = await makeOutpost();
    const first = await send({ token });
    assert.equal(first.status, 409);
    assert.ok(first.nonce);
    const body = report();
    const signed = { token, nonce: first.nonce, body };
    const good = await send(signed);
    assert.equal(good.status, 200);
    const target = JSON.parse(good.text).targets.find((one: { server_id: number }) => one.server_id === id);
    const { nonce } = JSON.parse(good.text);
    const results = report([resultOf(target)]);
    for (const bad of [
      { token, body: results },
      { token, body: results, signature: "00" },
      { token, body: results, signature: signWork(token, first.nonce, JSON.stringify(results)) },
      { token, body: results, signature: signWork(`${token}x`, nonce, JSON.stringify(results)) },
      { token, body: results, signature: signWork(token, nonce, JSON.stringify(report())) },
    ]) {
      assert.equal((await send(bad)).status, 409);
    }
    assert.deepEqual([...(await stored())], []);
    const taken = await Promise.all(Array.from({ length: 6 }, () => send({ token, nonce, body: results })));
    assert.deepEqual(taken.map(({ status }) => status).sort(), [200, 409, 409, 409, 409, 409]);
    assert.equal((await send({ token, nonce, body: results })).status, 409);
    assert.equal((await stored()).length, 1);
    await site.sql`delete from gameserver`;
  });

  test("results of what it was not given, of another address and of later are worth nothing; lying ages are refused", async () => {
    const shown = await addServer();
    const hidden = await addServer({ visibility: "hidden" });
    const token = await makeOutpost();
    const outpost = await begin(token);
    const [target] = await listed(outpost);
    assert.equal(target?.server_id, shown);
    const key = target?.target_key ?? "";
    for (const age_ms of [-1, -60_000, 60_001, 1e12, 0.5, null, "5"]) {
      const body = report([{ ...resultOf({ server_id: shown, target_key: key }), age_ms }]);
      assert.equal((await send({ token, nonce: outpost.nonce(), body })).status, 400, String(age_ms));
    }
    const [hiddenKey] =
      await site.sql`select gameserver_target_key(g) as key from gameserver g where server_id = ${hidden}`;
    await outpost.report([
      resultOf({ server_id: hidden, target_key: hiddenKey?.key }),
      resultOf({ server_id: 2_000_000, target_key: key }),
      resultOf({ server_id: shown, target_key: "0".repeat(32) }),
    ]);
    assert.deepEqual([...(await stored())], []);
    await outpost.report([
      resultOf({ server_id: shown, target_key: key }, { age_ms: 9_000, failure: "timeout" }),
      resultOf({ server_id: shown, target_key: key }, { age_ms: 4_000 }),
    ]);
    const [row] = await stored();
    assert.equal(row?.ok, true);
    assert.ok(row && row.age_s >= 4 && row.age_s < 8, String(row?.age_s));
    // An older one that comes later says nothing.
    await outpost.report([resultOf({ server_id: shown, target_key: key }, { age_ms: 59_000, failure: "refused" })]);
    assert.equal((await stored())[0]?.ok, true);
    // What was asked at the address before says nothing of this one.
    await site.sql`update gameserver set game_port = 2457 where server_id = ${shown}`;
    await outpost.report([resultOf({ server_id: shown, target_key: key }, { age_ms: 0, failure: "refused" })]);
    assert.equal((await stored())[0]?.ok, true);
    await site.sql`delete from gameserver`;
  });

  test("bodies of other shapes and sizes are refused, and a flood is slowed", async () => {
    const token = await makeOutpost();
    const outpost = await begin(token);
    const nonce = outpost.nonce() ?? "";
    assert.equal((await send({ token, nonce, body: "x".repeat(200_000) })).status, 413);
    const target = { server_id: 1, target_key: "0".repeat(32) };
    for (const body of [
      "{",
      "null",
      report([], { results: "many" }),
      report(Array.from({ length: 501 }, () => resultOf(target))),
      report([resultOf(target, { failure: "<script>" as never })]),
      report([{ ...resultOf(target), players: 3 }]),
      report([], { version: "x".repeat(31) }),
      report([], { version: "<b>" }),
      report([], { date_ms: 1e300 }),
    ]) {
      assert.equal((await send({ token, nonce, body })).status, 400, JSON.stringify(body)?.slice(0, 80));
    }
    const answers = await Promise.all(Array.from({ length: 220 }, () => send({ token })));
    assert.ok(answers.some(({ status }) => status === 429));
    const other = await begin(await makeOutpost());
    assert.ok(await other.report(), "whoever floods slows nobody else");
  });

  test("only what strangers may know and ask is handed out", async () => {
    const ids = {
      name: await addServer(),
      members: await addServer({ visibility: "members", host: "8.8.4.4" }),
      dns: await addServer({ adapter: "minecraft", game_port: null, host: "mc.example.org" }),
    };
    await addServer({ visibility: "hidden" });
    await addServer({ lifecycle: "retired" });
    await addServer({ lifecycle: "maintenance" });
    await addServer({ demo: true });
    const secret = await addServer();
    await site.sql`update gameserver set adapter_secrets = '{"token":{"sealed":"x","last4":"x"}}' where server_id = ${secret}`;
    await addServer({ adapter: "heartbeat" });
    await addServer({ host: null });
    for (const host of ["127.0.0.1", "localhost", "10.0.0.4", "169.254.169.254", "::1", "[::1]", "2130706433"])
      await addServer({ host });
    // Allowed here by the operator, and nobody else's business; the second is a public address.
    for (const host of ["198.51.100.7", "9.9.9.9"]) await addServer({ host });
    for (const game_port of [22, 80, 5432, 6379, 11211]) await addServer({ game_port });
    await addServer({ game_port: 2456, query_port: 5432 });
    // Three above it, where it is asked, is a closed port.
    await addServer({ adapter: "hytale", game_port: 5429 });
    const [unpublished] = await site.sql`
      insert into games (game_name, game_acronym, game_slug, tagline, description, published)
      values ('Later', 'L', 'later', '{"en":""}', '{"en":""}', false) returning game_id`;
    const later = await addServer();
    await site.sql`update gameserver set game_id = ${unpublished?.game_id} where server_id = ${later}`;

    const keyed = await addServer({ adapter: "palworld" });
    await site.sql`update gameserver set adapter_secrets = '{"adminPassword":{"sealed":"x","end":""}}' where server_id = ${keyed}`;

    const outpost = await begin(await makeOutpost());
    const reply = await outpost.report();
    const targets = (reply.targets ?? []) as Record<string, unknown>[];
    assert.deepEqual(
      targets.map(({ server_id }) => server_id),
      Object.values(ids).sort((a, b) => a - b),
    );
    for (const one of targets) {
      assert.deepEqual(Object.keys(one).sort(), [
        "adapter",
        "game_port",
        "host",
        "interval_ms",
        "options",
        "query_port",
        "server_id",
        "target_key",
      ]);
    }
    // The same list is not sent again, a changed one is.
    assert.equal((await outpost.report([], { list: reply.list })).targets, null);
    await site.sql`update gameserver set poll_interval_s = 10 where server_id = ${ids.name}`;
    assert.equal((await outpost.report([], { list: reply.list })).targets?.length, 3);
    // What we do not reach is asked there more often; what is up is not.
    await site.sql`update gameserver_live_metrics set status = 'degraded', failure = 'no_reply' where server_id = ${ids.members}`;
    await site.sql`update gameserver_live_metrics set status = 'offline', failure = 'no_reply' where server_id = ${ids.name}`;
    assert.deepEqual((await outpost.report()).soon, [{ server_id: ids.members, every_ms: 5_000 }]);
    await site.sql`delete from gameserver`;
  });

  test("pages say where it is reached from, in both languages, to those who may see it, and not for longer", async () => {
    const [shown, hidden] = [await addServer(), await addServer({ visibility: "members", host: "8.8.4.4" })];
    const outpost = await begin(await makeOutpost("Berg & <b>Tal"));
    const targets = await listed(outpost);
    const seen = (more: Partial<OutpostResult> = {}) => outpost.report(targets.map((target) => resultOf(target, more)));
    const setStatus = (status: string) => site.sql`
      update gameserver_live_metrics set status = ${status}, failure = ${status === "online" ? null : "no_reply"}, user_peak = coalesce(user_peak, 0) + 1,
        status_since = now() - interval '40 seconds', last_asked_at = now(), last_answered_at = now(), latency_ms = 23`;
    const words = "Reachable from Berg &amp; &lt;b&gt;Tal, not from us.";
    const at = site.browser();
    const page = async (path: string) => (await at.get(path)).text;
    const says = async (path: string, text: string, is = true) =>
      until(`${path} ${is ? "says" : "does not say"} ${text}`, async () => (await page(path)).includes(text) === is);
    for (const status of ["degraded", "offline"]) {
      await setStatus(status);
      await seen();
      await says(`/servers/${shown}`, words);
      await says("/games/now", words);
      await says(`/de/servers/${shown}`, "Von Berg &amp; &lt;b&gt;Tal aus erreichbar, von uns aus nicht.");
    }
    assert.ok(!(await page("/games/now")).includes("8.8.4.4"));
    assert.equal((await at.get(`/servers/${hidden}`)).status, 404);
    const everything = JSON.parse(await (await fetch(`${site.base}/api/v1/servers`)).text());
    assert.ok(!JSON.stringify(everything).includes(`"server_id":${hidden}`));
    assert.match(JSON.stringify(everything), /"reachable_from":\["Berg & <b>Tal"\]/);
    const { at: member } = await site.signedIn("member@example.org");
    assert.ok((await member.get(`/servers/${hidden}`)).text.includes(words));
    await says(`/servers/${shown}`, "12 ms from Berg &amp; &lt;b&gt;Tal");
    await says(`/servers/${shown}`, "23 ms from here");
    // Once we reach it, or the outpost does not, nothing is said.
    await setStatus("online");
    await says(`/servers/${shown}`, words, false);
    await setStatus("offline");
    await says(`/servers/${shown}`, words);
    await seen({ failure: "no_reply" });
    await says(`/servers/${shown}`, words, false);
    await seen();
    await says(`/servers/${shown}`, words);
    await site.sql`update outpost_results set asked_at = now() - interval '61 seconds'`;
    await says(`/servers/${shown}`, words, false);
    await seen({ age_ms: 0 });
    await says(`/servers/${shown}`, words);
    await site.sql`delete from outposts`;
    await says(`/servers/${shown}`, words, false);
    await site.sql`delete from gameserver`;
  });

  test("an admin makes one, sees how it is and what it sees, and revokes it; nobody else may look", async () => {
    const { at, user } = await site.signedInAdmin("admin@example.org");
    const pages = "/admin/settings/outposts";
    const id = await addServer();
    const made = await at.post(pages, { name: "  Oslo <i> " });
    assert.equal(made.status, 200);
    const token = /spo_[\w-]{43}/.exec(made.text)?.[0] ?? "";
    assert.ok(token);
    assert.ok(made.text.includes("sudo systemctl enable --now spawnpoint-outpost"));
    assert.ok(!(await at.get(pages)).text.includes(token), "the token is shown once");
    assert.equal((await at.post(pages, { name: "Oslo <i>" })).status, 409);
    assert.equal((await at.post(pages, { name: "" })).status, 422);
    assert.equal((await at.post(pages, { name: "x".repeat(41) })).status, 422);
    assert.ok((await at.get(pages)).text.includes("Has not asked yet"));
    assert.ok(made.text.includes("in /opt/spawnpoint"), "what the line needs is said beside it");
    assert.ok(made.text.includes("leads another machine to itself"), "this site stands at localhost");
    // That both see the same is said only where an outpost looks at something.
    const SAME = "outposts and we see the same";
    const unknown = async (why: string) => {
      const { text } = await at.get(pages);
      assert.ok(text.includes(why), why);
      assert.ok(!text.includes(SAME), why);
    };
    await site.sql`update outposts set last_seen_at = null`;
    await unknown("no outpost has asked for work yet");
    await site.sql`update outposts set last_seen_at = now() - interval '1 hour'`;
    await unknown("no outpost reports itself now");
    const outpost = await begin(token);
    const [target] = await listed(outpost);
    await unknown("outposts look at no game server now");
    await outpost.report([resultOf(target ?? { server_id: id, target_key: "" })], { date_ms: Date.now() - 90_000 });
    assert.ok((await at.get(pages)).text.includes(SAME));
    await site.sql`update gameserver_live_metrics set status = 'offline', last_asked_at = now()`;
    const { text } = await at.get(pages);
    for (const part of ["Oslo &lt;i&gt;", "Reports itself", "20 ms", "0.1.0", "Answers there, not here"]) {
      assert.ok(text.includes(part), part);
    }
    const looksAt = (await listOutposts(site.database.db)).filter(({ looks_at }) => looks_at > 0);
    assert.deepEqual(
      looksAt.map(({ name, looks_at }) => [name, looks_at]),
      [["Oslo <i>", 1]],
      "each its own",
    );
    assert.match(text, /\b9[0-9](\.\d)?\s+s behind/);
    const [row] = await site.sql<{ outpost_id: number }[]>`select outpost_id from outposts where name = 'Oslo <i>'`;
    const revoke = `${pages}/${row?.outpost_id}/revoke`;
    assert.equal((await at.post(revoke, { confirm: "Oslo" })).status, 422);
    await outpost.report();
    assert.equal((await at.post(revoke, { confirm: "Oslo <i>" })).status, 302);
    assert.equal((await send({ token, nonce: outpost.nonce() })).status, 401);
    assert.equal((await at.get(revoke)).status, 404);
    for (const role of ["moderator", "user"]) {
      await site.sql`update roles set role = ${role} where user_id = ${user.id}`;
      assert.ok([403, 404].includes((await at.get(pages)).status), role);
      assert.ok([403, 404].includes((await at.post(pages, { name: "Mine" })).status), role);
    }
    assert.equal((await site.sql`select from outposts where name = 'Mine'`).length, 0);
    await site.sql`delete from gameserver`;
  });

  test("a revoked outpost is refused at once, and what it saw is gone", async () => {
    const id = await addServer();
    const token = await makeOutpost("Frankfurt");
    const outpost = await begin(token);
    const [target] = await listed(outpost);
    await outpost.report([resultOf(target ?? { server_id: id, target_key: "" })]);
    assert.equal((await stored()).length, 1);
    const [row] = await site.sql<{ outpost_id: number }[]>`select outpost_id from outposts where name = 'Frankfurt'`;
    assert.ok((await revokeOutpost(site.database.db, actor(), row?.outpost_id ?? 0, "Frankfurt")).ok);
    assert.equal((await send({ token, nonce: outpost.nonce() })).status, 401);
    assert.deepEqual([...(await stored())], []);
    const audit =
      await site.sql`select what, details from audit_events where subject_type = 'outpost' and details->>'name' = 'Frankfurt' order by event_id`;
    assert.deepEqual(
      audit.map(({ what }) => what),
      ["outpost-made", "outpost-revoked"],
    );
    const everything = JSON.stringify(await site.sql`select * from audit_events`);
    assert.ok(!everything.includes(token.slice(4)), "no token in the log");
    await site.sql`delete from gameserver`;
  });
});
