/** The site that is attacked by way of its public API: what is on it, and who asks how. One in a process. */
import assert from "node:assert/strict";
import { request as rawRequest } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { seedDemoContent } from "#demo/demo-content.ts";
import { createApiKey, type KeyScope } from "#domain/accounts/api-keys.ts";
import type { User } from "#domain/accounts/users.ts";
import { OPERATIONS } from "#web/api/operations.ts";
import { type AccountSite, PASSWORD, startAccountSite } from "../../helpers/account-site.ts";
import type { Browser } from "../../helpers/browser.ts";

const SCOPES: KeyScope[] = ["admin:read", "games:write", "gameservers:write"];
export type Tokens = { access_token: string; refresh_token: string; expires_in: number; user: { id: string } };

export let site: AccountSite;
export let admin: { at: Browser; user: User };
let addresses = 0;
/** Of game servers that everybody sees, members alone, and nobody; and of a game. */
export const ids = { seen: 0, members: 0, hidden: 0, game: 0 };
/** Begun first and looked at last, because each takes as long as a body may. */
export let drips: Promise<{ name: string; status: number; afterMs: number }[]>;

export async function startAttackedSite(): Promise<void> {
  site = await startAccountSite();
  await seedDemoContent(site.database.db);
  await site.sql`update gameserver set visibility = 'public', host = 'play.example.org', server_name = ${'</title><script>alert(1)</script>"&\u202e\u0001'} where server_name = 'Valheim Vanilla'`;
  await site.sql`update gameserver set visibility = 'members', host = 'members.example.org' where server_name = 'Minecraft Anarchy'`;
  await site.sql`update gameserver set host = 'secret.example.org' where server_name = 'Skyrim Together Node 1'`;
  const rows = await site.sql<{ server_id: number; game_id: number; host: string }[]>`
    select server_id, game_id, host from gameserver where host in ('play.example.org', 'members.example.org', 'secret.example.org')`;
  const of = (host: string) => rows.find((row) => row.host === host);
  ids.seen = of("play.example.org")?.server_id ?? 0;
  ids.members = of("members.example.org")?.server_id ?? 0;
  ids.hidden = of("secret.example.org")?.server_id ?? 0;
  ids.game = of("play.example.org")?.game_id ?? 0;
  admin = await someAdmin("admin@example.org");
  for (let wait = 0; wait < 60; wait += 1) {
    if ((await (await get(`/api/v1/servers/${ids.seen}`)).json()).server_id) break;
    await pause(50);
  }
  drips = dripEverywhere();
}

/** Sends to every address that takes a body one sign of it a second. */
async function dripEverywhere() {
  const key = bearer(await keyOf(admin.user));
  const signedIn = await fetch(`${site.base}/api/v1/session`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Forwarded-For": newAddress() },
    body: JSON.stringify({ email: "admin@example.org", password: PASSWORD }),
  });
  const token = bearer((await signedIn.json()).access_token);
  const operations = OPERATIONS.filter(({ body }) => body).map(({ method, path, access }) => ({
    name: `${method.toUpperCase()} ${path}`,
    method,
    path: `/api/v1${path.replace("{bucket}", "media").replace(/\{\w+\}/g, "1")}`,
    who: access === "session" ? token : access === "known" || path.startsWith("/admin") ? key : {},
  }));
  const passkey = "/api/auth/passkey/verify-authentication";
  return Promise.all(
    [...operations, { name: "passkey", method: "post", path: passkey, who: {} }].map(({ name, method, path, who }) => {
      const began = performance.now();
      const headers = {
        ...who,
        "If-Match": '"1"',
        "Content-Type": "application/json",
        "Content-Length": "1000",
        "X-Forwarded-For": newAddress(),
      };
      return new Promise<{ name: string; status: number; afterMs: number }>((resolve) => {
        const sending = rawRequest(`${site.base}${path}`, { method: method.toUpperCase(), headers }, (answer) => {
          answer.resume();
          clearInterval(drip);
          resolve({ name, status: answer.statusCode ?? 0, afterMs: performance.now() - began });
        });
        const drip = setInterval(() => sending.write(" "), 1_000);
        sending.on("error", () => clearInterval(drip));
        sending.flushHeaders();
      });
    }),
  );
}

export const someAdmin = (email: string) => site.signedInAdmin(email);
export function newAddress() {
  addresses += 1;
  return `198.20.${addresses >> 8}.${addresses & 255}`;
}
export const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  fetch(site.base + path, { method, headers: { "X-Forwarded-For": newAddress(), ...headers } });
export const post = (path: string, body: unknown, headers: Record<string, string> = {}, method = "POST") =>
  fetch(`${site.base}/api/v1${path}`, {
    method,
    headers: { "X-Forwarded-For": newAddress(), "Content-Type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
export async function keyOf(user: User, scopes = SCOPES): Promise<string> {
  const actor = { user_id: user.id, origin: { ip: "", user_agent: "" } };
  const made = await createApiKey(site.database.db, actor, { note: "A test", days: 1, scopes });
  assert.ok(made.ok);
  return made.key;
}
export async function signIn(email: string, more: object = {}): Promise<Tokens> {
  const answer = await post("/session", { email, password: PASSWORD, ...more });
  assert.equal(answer.status, 200, await answer.clone().text());
  return answer.json();
}
export const keyStatus = async (key: string) => (await get("/api/v1/admin/games", bearer(key))).status;
export const tokenStatus = async (token: string) => (await get("/api/v1/session", bearer(token))).status;
