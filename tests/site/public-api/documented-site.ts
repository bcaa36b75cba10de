/** The site that is held to its OpenAPI document: what is on it, who may ask, and how one asks. One in a process. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { utimes } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import sharp from "sharp";
import { seedDemoContent } from "#demo/demo-content.ts";
import { createApiKey, type KeyScope } from "#domain/accounts/api-keys.ts";
import { hashHeartbeatToken } from "#domain/game-servers/heartbeats.ts";
import { BANNER, makePicture, storeFiles } from "#domain/media/files.ts";
import { createObjectStorage } from "#outside/object-storage.ts";
import type { ApiDocument } from "#web/api/reference/document.ts";
import { type AccountSite, PASSWORD, startAccountSite } from "../../helpers/account-site.ts";

export type Sent = { path: string; method: string; headers: Record<string, string>; body?: string | Blob; ip?: string };

const SCOPES: KeyScope[] = ["admin:read", "games:write", "gameservers:write"];
/** Of the game server that sends heartbeats. */
export const TOKEN = "a-heartbeat-token-of-its-own";

export let site: AccountSite;
export let api: ApiDocument;
let addresses = 0;
export const ids = { server_id: 0, other_id: 0, game_id: 0, member: "" };
/** Of keys and of members' tokens, by what each is for. */
export const keys: Record<string, string> = {};
export const tokens: Record<string, string> = {};
export let picture = new Uint8Array();
/** The name of a file that was uploaded a moment ago. */
export let fresh = "";

export async function startDocumentedSite(): Promise<void> {
  site = await startAccountSite();
  await seedDemoContent(site.database.db);
  await site.sql`update gameserver set visibility = 'public', host = 'play.example.org', heartbeat_token_hash = ${hashHeartbeatToken(TOKEN)} where server_name = 'Valheim Vanilla'`;
  await site.sql`update gameserver set visibility = 'public' where server_name = 'Minecraft Anarchy'`;
  const [server] = await site.sql<{ server_id: number; game_id: number }[]>`
    select server_id, game_id from gameserver where server_name = 'Valheim Vanilla'`;
  Object.assign(ids, server);
  const [other] = await site.sql<{ server_id: number }[]>`
    select server_id from gameserver where server_name = 'Minecraft Anarchy'`;
  ids.other_id = other?.server_id ?? 0;
  const admin = await site.member("admin@example.org");
  await site.sql`update roles set role = 'admin' where user_id = ${admin.id}`;
  const actor = { user_id: admin.id, origin: { ip: "", user_agent: "" } };
  for (const [name, scopes] of [
    ["all", SCOPES],
    ["read", ["admin:read"]],
    ["games", ["games:write"]],
    ["spent", SCOPES],
  ] as const) {
    const made = await createApiKey(site.database.db, actor, { note: name, days: 1, scopes: [...scopes] });
    assert.ok(made.ok);
    keys[name] = made.key;
  }
  ids.member = (await site.member("ada@example.org")).id;
  const banned = await site.member("banned@example.org");
  await site.sql`update users set banned_until = 'infinity' where user_id = ${banned.id}`;
  for (const name of ["one", "spent", "out"]) tokens[name] = (await signedIn("ada@example.org")).access_token;
  const answer = await fetch(`${site.base}/api/v1/openapi.json`);
  api = (await answer.json()) as ApiDocument;
  picture = Uint8Array.from(
    await sharp({ create: { width: 800, height: 500, channels: 3, background: "#336699" } })
      .png()
      .toBuffer(),
  );
  fresh = `${await storePicture(0)}-345.avif`;
  await spendBudgets();
}

export const json = { "Content-Type": "application/json" };
function newAddress() {
  addresses += 1;
  return `198.19.${addresses >> 8}.${addresses & 255}`;
}

export async function signedIn(email: string): Promise<{ access_token: string; refresh_token: string }> {
  const answer = await send({
    path: "/session",
    method: "post",
    headers: json,
    body: JSON.stringify({ email, password: PASSWORD, program: "A test" }),
  });
  assert.equal(answer.status, 200, await answer.clone().text());
  return answer.json();
}
export function send({ path, method, headers, body, ip }: Sent): Promise<Response> {
  return fetch(`${site.base}/api/v1${path}`, {
    method: method.toUpperCase(),
    headers: { "X-Forwarded-For": ip ?? newAddress(), "User-Agent": "test program", ...headers },
    ...(body === undefined ? {} : { body }),
  });
}

/** Other processes have counted these callers' calls: what this one hears once it has counted ten of its own. */
async function spendBudgets() {
  const [key] = await site.sql<{ key_id: number }[]>`select key_id from api_keys where note = 'spent'`;
  for (const [name, of, points] of [
    ["api-known", `key ${key?.key_id}`, 600],
    ["api-known", `member ${(await site.member("spent@example.org")).id}`, 600],
    ["api-address", "203.0.113.99", 300],
  ] as const) {
    const hashed = createHash("sha256").update(of).digest("base64url").slice(0, 22);
    await site.sql`insert into rate_limits (limit_key, points, expires_at) values (${`${name}:${hashed}`}, ${points}, now() + interval '1 hour')`;
  }
  tokens.spent = (await signedIn("spent@example.org")).access_token;
  const few = Array.from({ length: 12 }, (_, n) => n);
  for (const headers of [{ Authorization: `Bearer ${keys.spent}` }, { Authorization: `Bearer ${tokens.spent}` }, {}])
    for (const _ of few)
      await send({ path: "/site", method: "get", headers: headers as Record<string, string>, ip: "203.0.113.99" });
  for (let wait = 0; wait < 50; wait += 1) {
    await pause(100);
    const statuses = await Promise.all(
      [{ Authorization: `Bearer ${keys.spent}` }, { Authorization: `Bearer ${tokens.spent}` }, {}].map(
        async (headers) =>
          (
            await send({
              path: "/site",
              method: "get",
              headers: headers as Record<string, string>,
              ip: "203.0.113.99",
            })
          ).status,
      ),
    );
    if (statuses.every((status) => status === 429)) return;
  }
  assert.fail("the budgets of other processes do not count here");
}

export const serverForm = (more: object = {}) => ({
  game_id: ids.game_id,
  server_name: "Made by a program",
  adapter: "tcp",
  host: "play.example.org",
  game_port: 25_565,
  ...more,
});
export async function revisionOf(path: string) {
  const answer = await send({ path, method: "get", headers: { Authorization: `Bearer ${keys.all}` } });
  return { etag: answer.headers.get("etag") ?? "", ...(await answer.json()) };
}
export async function made(path: string, body: object): Promise<{ id: number; name: string }> {
  const headers = { ...json, Authorization: `Bearer ${keys.all}` };
  const answer = await send({ path, method: "post", headers, body: JSON.stringify(body) });
  assert.equal(answer.status, 201, await answer.clone().text());
  const { server_id, game_id, record } = await answer.json();
  return { id: server_id ?? game_id, name: record.server_name ?? record.game_name };
}

export async function makeToken(path: string): Promise<void> {
  const answer = await send({ path, method: "post", headers: { Authorization: `Bearer ${keys.all}` } });
  assert.equal(answer.status, 201, await answer.clone().text());
}
/** Stores one that nothing shows, so many ms ago. Answers with its id. */
export async function storePicture(agoMs: number): Promise<string> {
  const made = await makePicture(() => sharp(picture), BANNER);
  assert.ok(made && (await storeFiles(createObjectStorage({ dataDir: site.dataDir }), made.files, assert.fail)));
  const at = new Date(Date.now() - agoMs);
  for (const { key } of made.files) await utimes(path.join(site.dataDir, "buckets/media", key), at, at);
  return made.picture.id;
}
