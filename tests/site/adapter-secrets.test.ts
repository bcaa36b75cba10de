/**
 * What game servers are shown to let us in: an admin types it once, and from then on nobody reads it anywhere. Every address is
 * searched for it, as everybody; so are the log, the audit log, the database and what people take home.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { pino } from "pino";
import { createApiKey } from "#domain/accounts/api-keys.ts";
import { changeSecret } from "#domain/accounts/secret-change.ts";
import { openSecrets } from "#domain/game-servers/adapter-secrets.ts";
import type { SealedSecrets } from "#shared/adapters.ts";
import { OPERATIONS } from "#web/api/operations.ts";
import { type AccountSite, startAccountSite } from "../helpers/account-site.ts";
import type { Browser } from "../helpers/browser.ts";
import { dataOf, fillAddress, MAP } from "../helpers/route-map.ts";

/** Of letters alone, so that no encoding hides it; its end is what admins may read. */
const SECRET = "OpenEverythingOfThatServerAbCd";
const END = "AbCd";
const TOLD = new RegExp(SECRET.slice(0, -4), "i");
const AUTH_SECRET = "the secret of this very site, 32+";

describe("secrets of adapters", () => {
  let site: AccountSite;
  let admin: Browser;
  let actor: { user_id: string; origin: { ip: string; user_agent: string } };
  let serverId = 0;
  let gameId = 0;
  const logged: string[] = [];

  before(async () => {
    const log = pino({ level: "trace" }, { write: (line: string) => void logged.push(line) });
    site = await startAccountSite({ AUTH_SECRET }, undefined, log);
    const { at, user } = await site.signedInAdmin("admin@example.org");
    admin = at;
    actor = { user_id: user.id, origin: { ip: "", user_agent: "" } };
    const [game] = await site.sql<{ game_id: number }[]>`
      insert into games (game_name, game_acronym, game_slug, tagline, description, published)
      values ('Palworld', 'PW', 'palworld', '{"en":""}', '{"en":""}', true) returning game_id`;
    gameId = game?.game_id ?? 0;
  });
  after(() => site.stop());

  const fields = (more: Record<string, string> = {}) => ({
    game_id: String(gameId),
    server_name: "Palpagos",
    visibility: "public",
    password_access: "none",
    lifecycle: "active",
    adapter: "palworld",
    host: "pal.example.org",
    game_port: "8211",
    query_port: "8212",
    ...more,
  });
  const stored = async () => {
    const [row] = await site.sql<{ adapter_secrets: SealedSecrets }[]>`
      select adapter_secrets from gameserver where server_id = ${serverId}`;
    return row?.adapter_secrets ?? {};
  };
  const opened = async () => openSecrets(AUTH_SECRET, await stored())?.adminPassword ?? null;
  const form = () => admin.get(`/admin/gameservers/${serverId}/edit`);
  const save = async (more: Record<string, string> = {}) => {
    const revision = /name="revision" value="(\d+)"/.exec((await form()).text)?.[1] ?? "";
    return admin.post(`/admin/gameservers/${serverId}/edit`, fields({ revision, ...more }));
  };

  test("an admin types it into the form, and reads no more than its end from then on", async () => {
    const refused = await admin.post(
      "/admin/gameservers/create",
      fields({ server_name: "", secret_adminPassword: SECRET }),
    );
    assert.equal(refused.status, 422);
    assert.doesNotMatch(refused.text, TOLD, "not even in the answer to a form with a fault");
    const made = await admin.post("/admin/gameservers/create", fields({ secret_adminPassword: SECRET }));
    serverId = Number(/gameservers\/(\d+)\/edit/.exec(made.location ?? "")?.[1]);
    assert.ok(serverId > 0, String(made.status));
    assert.equal(await opened(), SECRET);
    const { text } = await form();
    assert.match(text, new RegExp(`One that ends in ${END} is kept`));
    assert.match(text, /Query port: 8,?212 · Admin password</, "the fold tells that it is kept");
    assert.match(text, /asked at port 8212, as is usual with Palworld REST/);
    assert.match(
      text,
      /<input[^>]*name="secret_adminPassword"[^>]*type="password"|<input[^>]*type="password"[^>]*name="secret_adminPassword"/,
    );
    assert.doesNotMatch(text, TOLD);
    const german = await admin.get(`/de/admin/gameservers/${serverId}/edit`);
    assert.match(german.text, new RegExp(`endet auf ${END}`));
    assert.match(german.text, /am Port 8212 gefragt, wie bei Palworld REST üblich/);
  });

  test("nothing typed keeps it, another one takes its place, a tick removes it, another host forgets it", async () => {
    assert.equal((await save({ server_name: "Palpagos II" })).status, 200);
    assert.equal(await opened(), SECRET);
    const changed = await save({ secret_adminPassword: "AnotherPasswordXyZw" });
    assert.equal(changed.status, 200);
    assert.doesNotMatch(changed.text, /AnotherPassword/);
    assert.equal(await opened(), "AnotherPasswordXyZw");
    const removed = await save({ forget_adminPassword: "on" });
    assert.equal(removed.status, 200);
    assert.doesNotMatch(removed.text, /was forgotten/, "nobody has to be told what they asked for");
    assert.deepEqual(await stored(), {});
    assert.match((await form()).text, /a heartbeat does without it/);
    assert.equal((await save({ secret_adminPassword: SECRET })).status, 200);
    assert.match((await form()).text, /Another host, or another way of asking, forgets it/);
    const moved = await save({ host: "elsewhere.example.org" });
    assert.equal(moved.status, 200);
    assert.match(moved.text, /The admin password was forgotten, because the host changed: please type it again\./);
    assert.deepEqual(await stored(), {}, "whoever may edit it could send it to a machine of their own");
    assert.equal((await save({ secret_adminPassword: SECRET })).status, 200);
    const asked = await save({ adapter: "tcp", host: "elsewhere.example.org" });
    assert.match(asked.text, /The admin password was forgotten, because the game server is asked in another way now\./);
    assert.deepEqual(await stored(), {}, "another way to ask has no use for it");
    assert.equal((await save({ secret_adminPassword: SECRET })).status, 200);
    assert.equal(await opened(), SECRET);
  });

  test("a change by another hand is a conflict that tells nothing of it", async () => {
    const { text } = await form();
    const revision = /name="revision" value="(\d+)"/.exec(text)?.[1] ?? "";
    assert.equal((await save({ server_name: "Palpagos III" })).status, 200);
    const late = await admin.post(
      `/admin/gameservers/${serverId}/edit`,
      fields({ revision, server_name: "Palpagos IV", secret_adminPassword: "TooLatePasswordQwEr" }),
    );
    assert.match(late.text, /Palpagos III/);
    assert.doesNotMatch(late.text, /TooLatePassword/);
    assert.equal(await opened(), SECRET);
  });

  test("nobody finds it at any address: visitors, users, moderators, admins, programs with a key", async () => {
    const browsers: Record<string, Browser> = { visitor: site.browser(), admin };
    for (const role of ["user", "moderator"]) {
      const { at, user } = await site.signedIn(`${role}@example.org`);
      await site.sql`update roles set role = ${role} where user_id = ${user.id}`;
      browsers[role] = at;
    }
    const key = await createApiKey(site.database.db, actor, {
      note: "x",
      days: 1,
      scopes: ["admin:read", "gameservers:write"],
    });
    assert.ok(key.ok);
    const values = {
      slug: "palworld",
      serverId: String(serverId),
      gameId: String(gameId),
      id: String(serverId),
      page: "x",
    };
    const pages = MAP.map(({ address }) => fillAddress(address, values)).flatMap((path) =>
      path.includes(String(serverId)) ? [path, dataOf(path)] : [path],
    );
    const api = OPERATIONS.filter(({ method, path }) => method === "get" && !path.endsWith("/live")).map(
      ({ path }) => `/api/v1${path.replace(/\{\w+\}/g, String(serverId))}`,
    );
    const sealed = (await stored()).adminPassword?.sealed ?? "";
    assert.ok(sealed.length > 20);
    let answered = 0;
    const look = (who: string, path: string, text: string) => {
      assert.doesNotMatch(text, TOLD, `${who}: ${path}`);
      assert.equal(text.includes(sealed), false, `${who}: ${path}`);
    };
    for (const [who, at] of Object.entries(browsers))
      for (const path of [...pages, ...api].filter((path) => path !== "/live")) {
        const { text, headers, status } = await at.get(path);
        if (status === 200) answered += 1;
        look(who, path, JSON.stringify([...headers]) + text);
      }
    for (const path of api) {
      const answer = await fetch(site.base + path, { headers: { Authorization: `Bearer ${key.key}` } });
      look("a program", path, await answer.text());
    }
    assert.ok(answered > 100, `a search that finds nothing anywhere proves nothing: ${answered}`);
    const record = await fetch(`${site.base}/api/v1/admin/servers/${serverId}`, {
      headers: { Authorization: `Bearer ${key.key}` },
    });
    assert.match(await record.text(), /Palpagos III/);
  });

  test("a program that saves the game server keeps it, and cannot name it", async () => {
    const key = await createApiKey(site.database.db, actor, {
      note: "y",
      days: 1,
      scopes: ["admin:read", "gameservers:write"],
    });
    assert.ok(key.ok);
    const authorized = { Authorization: `Bearer ${key.key}` };
    const address = `${site.base}/api/v1/admin/servers/${serverId}`;
    const found = await fetch(address, { headers: authorized });
    const { record } = (await found.json()) as { record: object };
    const headers = { ...authorized, "Content-Type": "application/json", "If-Match": found.headers.get("etag") ?? "" };
    const put = (more: object) =>
      fetch(address, { method: "PUT", headers, body: JSON.stringify({ ...record, ...more }) });
    assert.equal((await put({ adapter_secrets: { adminPassword: "x" } })).status, 422);
    assert.equal((await put({ adapter_options: { adminPassword: "x" } })).status, 422);
    const saved = await put({ flavour: "Vanilla" });
    assert.equal(saved.status, 200);
    assert.equal(await opened(), SECRET);
    const told = async (answer: Response) => {
      const { forgotten_secrets, missing_secrets } = (await answer.json()) as Record<string, unknown>;
      return [forgotten_secrets, missing_secrets];
    };
    assert.deepEqual(await told(saved), [[], []]);
    headers["If-Match"] = saved.headers.get("etag") ?? "";
    const moved = await put({ host: "other.example.org" });
    assert.deepEqual(await told(moved), [[{ name: "adminPassword", because: "host" }], ["adminPassword"]]);
    assert.deepEqual(await stored(), {});
    assert.match((await form()).text, /One thing is missing: Admin password\./);
    assert.equal((await save({ host: "other.example.org", secret_adminPassword: SECRET })).status, 200);
    assert.doesNotMatch((await form()).text, /One thing is missing/);
    headers["If-Match"] = `"${/name="revision" value="(\d+)"/.exec((await form()).text)?.[1]}"`;
    const asked = await put({ host: "other.example.org", adapter: "heartbeat" });
    assert.deepEqual(await told(asked), [[{ name: "adminPassword", because: "adapter" }], []]);
    assert.equal((await save({ secret_adminPassword: SECRET })).status, 200);
  });

  test("log, audit log, database and what people take home have none of it", async () => {
    assert.ok(logged.length > 0);
    assert.doesNotMatch(logged.join(""), TOLD);
    assert.doesNotMatch(logged.join(""), /AnotherPassword|TooLatePassword/);
    const tables = await site.sql<{ name: string }[]>`
      select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`;
    assert.ok(tables.length > 20);
    for (const { name } of tables) {
      const [found] = await site.sql.unsafe(
        `select count(*)::int as n from "${name}" t where t::text ~* '${SECRET.slice(0, -4)}|AnotherPassword|TooLatePassword'`,
      );
      assert.equal(found?.n, 0, name);
    }
    const events = await site.sql<{ told: unknown }[]>`
      select details->'after'->'adapter_secrets'->>'adminPassword' as told from audit_events
      where subject_type = 'gameserver' and details->'after' ? 'adapter_secrets' order by event_id`;
    assert.deepEqual(
      events.map(({ told }) => told),
      ["set", "changed", "removed", "set", "removed", "set", "removed", "set", "removed", "set", "removed", "set"],
    );
  });

  test("where the site's secret does not open it any more, the form says so, and a new one mends it", async () => {
    const sealed = await stored();
    const broken = { adminPassword: { sealed: `A${sealed.adminPassword?.sealed.slice(1)}B`, end: END } };
    await site.sql`update gameserver set adapter_secrets = ${JSON.stringify(broken)}::text::jsonb where server_id = ${serverId}`;
    const { text, status } = await form();
    assert.equal(status, 200);
    assert.match(text, /It cannot be read any more/);
    for (const path of [`/admin/gameservers/${serverId}/ask`, `/servers/${serverId}`, "/admin"])
      assert.ok((await admin.get(path)).status < 500, path);
    assert.equal((await save({ secret_adminPassword: SECRET })).status, 200);
    assert.equal(await opened(), SECRET);
    assert.doesNotMatch((await form()).text, /It cannot be read any more/);
  });

  test("a change of the site's secret seals it anew, and one that does not open stays as it is", async () => {
    await site.stopWeb();
    const next = "the next secret of this site, 32+";
    const foreign = { adminPassword: { sealed: "AAAA", end: "" } };
    const [other] = await site.sql<{ server_id: number }[]>`
      insert into gameserver (game_id, server_name, adapter, adapter_secrets)
      values (${gameId}, 'Another', 'palworld', ${JSON.stringify(foreign)}::text::jsonb) returning server_id`;
    assert.ok((await changeSecret(site.database.db, { from: AUTH_SECRET, to: next })).ok);
    assert.deepEqual(openSecrets(next, await stored()), { adminPassword: SECRET });
    assert.equal(openSecrets(AUTH_SECRET, await stored()), null);
    const [left] = await site.sql`select adapter_secrets from gameserver where server_id = ${other?.server_id ?? 0}`;
    assert.deepEqual(left?.adapter_secrets, foreign);
  });
});
