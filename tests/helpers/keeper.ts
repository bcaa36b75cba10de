/** A member of a running site with password, second factor and avatar, all by the site's own forms. */
import assert from "node:assert/strict";
import sharp from "sharp";
import type { Database } from "#db/client.ts";
import { hashPassword } from "#domain/accounts/passwords.ts";
import { createBrowser } from "./browser.ts";
import { stepNow, totp } from "./totp.ts";

export type Keeper = {
  email: string;
  password: string;
  /** The key of the second factor. */
  totp: string;
  avatar_url: string;
  /** SHA-256 (hex) of the picture that the site serves. */
  avatar_sha256: string;
};

const unescaped = (html: string) => html.replaceAll("&amp;", "&").replaceAll("&quot;", '"');

/** Makes it on the site at `url`, whose database is open; written by hand, so that it works on a version before, too. */
export async function makeKeeper(url: string, { sql }: Pick<Database, "sql">): Promise<Keeper> {
  const email = "keeper@example.org";
  const password = "a lamp in the harbour";
  const [user] = await sql<{ user_id: string }[]>`
    INSERT INTO users (email, email_verified) VALUES (${email}, true) RETURNING user_id`;
  const id = user?.user_id ?? "";
  await sql`INSERT INTO accounts (user_id, provider, provider_account_id, password_hash)
    VALUES (${id}, 'credential', ${id}, ${await hashPassword(password)})`;
  await sql`INSERT INTO profiles (user_id, user_nick_name) VALUES (${id}, 'Keeper')`;
  await sql`INSERT INTO roles (user_id) VALUES (${id})`;

  const at = createBrowser(url);
  assert.equal((await at.post("/login/", { intent: "login", email, password })).status, 302);
  const begun = await at.post("/user/settings/security", { intent: "totp-start" });
  const field = (name: string) => unescaped(new RegExp(`name="${name}" value="([^"]+)"`).exec(begun.text)?.[1] ?? "");
  const key = new URL(field("uri")).searchParams.get("secret") ?? "";
  const confirm = { intent: "totp-confirm", uri: field("uri"), codes: field("codes") };
  await at.post("/user/settings/security", { ...confirm, code: totp(key, stepNow() - 1) });
  assert.equal((await sql`SELECT FROM two_factors WHERE user_id = ${id} AND verified`).length, 1);

  const picture = await sharp({ create: { width: 300, height: 300, channels: 3, background: "#0af" } })
    .png()
    .toBuffer();
  const body = new FormData();
  body.set("avatar", new Blob([Uint8Array.from(picture)], { type: "image/png" }), "me.png");
  const cookie = [...at.cookies].map((pair) => pair.join("=")).join("; ");
  const headers = { "Sec-Fetch-Site": "same-origin", Origin: url, Cookie: cookie };
  const sent = await fetch(`${url}/user/settings/avatar`, { method: "POST", headers, body });
  assert.equal(sent.status, 200);
  const { avatar_url }: { avatar_url: string } = await sent.json();
  return { email, password, totp: key, avatar_url, avatar_sha256: await sumOf(url + avatar_url) };
}

/** Signs in with password and code, and looks at the avatar. */
export async function findKeeper(url: string, keeper: Keeper): Promise<void> {
  const at = createBrowser(url);
  const first = await at.post("/login/", { intent: "login", email: keeper.email, password: keeper.password });
  assert.match(first.location ?? "", /^\/two-factor/);
  const second = await at.post("/two-factor", { kind: "app", code: totp(keeper.totp, stepNow()) });
  assert.equal(second.status, 302, second.text.slice(0, 500));
  assert.equal((await at.get("/user/settings/profile")).status, 200);
  assert.equal(await sumOf(url + keeper.avatar_url), keeper.avatar_sha256);
}

async function sumOf(address: string): Promise<string> {
  const answer = await fetch(address);
  assert.equal(answer.status, 200, address);
  const sum = await crypto.subtle.digest("SHA-256", await answer.arrayBuffer());
  return Buffer.from(sum).toString("hex");
}
