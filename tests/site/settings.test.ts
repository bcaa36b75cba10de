/** A member's settings through the front door: refusals first. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { after, before, describe, test } from "node:test";
import { type AccountSite, startAccountSite } from "#tests/helpers/account-site.ts";
import type { Browser } from "#tests/helpers/browser.ts";
import { cookiesOf, sendAvatar } from "./send-avatar.ts";

const PAGES = ["profile/", "account", "security", "appearance", "data"];
const stale = (site: AccountSite, email: string) =>
  site.sql`update sessions set created_at = now() - interval '16 minutes' where user_id = (select user_id from users where email = ${email})`;

describe("with a folder", () => {
  let site: AccountSite;
  before(async () => {
    site = await startAccountSite();
  });
  after(() => site.stop());

  test("looking changes nothing: an act by GET leads to the page of the act", async () => {
    const { at } = await site.signedIn("looking@example.org");
    for (const [path, page] of [
      ["/user/settings/avatar", "/user/settings/profile/"],
      ["/de/user/settings/data/export", "/de/user/settings/data"],
    ] as const) {
      const { status, location } = await at.get(path);
      assert.deepEqual([status, location], [302, page], path);
    }
  });

  test("a bad name is refused beside its field, with what was typed; a taken one too; unknown fields are ignored", async () => {
    const { at, user } = await site.signedIn("named@example.org");
    await site.sql`update profiles set user_nick_name = 'Grace' where user_id = ${(await site.member("other@example.org")).id}`;
    for (const [name, expected] of [
      ["x", "at least 2 characters"],
      ["x".repeat(33), "at most 32 characters"],
      ["Ad\u200ba", "invisible characters"],
      ["GRACE", "Somebody else has this name"],
      ["Аdministrator", "kept for them"],
      ["Spawnp0int", "kept for them"],
    ] as const) {
      const answer = await at.post("/user/settings/profile/", { intent: "save", user_name: name });
      assert.equal(answer.status, 422, name);
      assert.ok(answer.text.includes(expected), expected);
      assert.match(answer.text, /aria-invalid="true"/);
      assert.ok(answer.text.includes(`value="${name}"`), name);
    }
    const fields = {
      intent: "save",
      user_name: "Ada",
      role: "admin",
      email: "x@example.org",
      avatar_url: "https://evil.example",
    };
    assert.equal((await at.post("/user/settings/profile/", fields)).status, 302);
    const [row] = await site.sql`select user_nick_name, role, email, avatar_url
      from users join profiles using (user_id) join roles using (user_id) where user_id = ${user.id}`;
    assert.deepEqual({ ...row }, { user_nick_name: "Ada", role: "user", email: "named@example.org", avatar_url: null });
  });

  test("a name of those who run the site: theirs to take, others' to keep, and the site's own follows a change", async () => {
    const { at, user } = await site.signedIn("official@example.org");
    const save = async (user_name: string, german = "") =>
      at.post(`${german}/user/settings/profile/`, { intent: "save", user_name });
    const german = await save("Ｍoderator", "/de");
    assert.equal(german.status, 422);
    assert.match(german.text, /für sie reserviert/);
    assert.match(german.text, /value="Ｍoderator"/);
    await site.sql`update roles set role = 'moderator' where user_id = ${user.id}`;
    assert.equal((await save("Moderator Ada")).status, 302);
    await site.sql`update roles set role = 'user' where user_id = ${user.id}`;
    assert.equal((await save("Moderator Ada")).status, 302, "the own one stays");
    assert.equal((await save("Moderator Bob")).status, 422);
    assert.equal((await save("The Lighthouse")).status, 302);
    await site.sql`insert into site_settings (setting_key, setting_value) values ('site_name', '"Northern Star"')`;
    assert.equal((await save("N0rthern $tar")).status, 422);
    await site.sql`delete from site_settings where setting_key = 'site_name'`;
    assert.equal((await save("N0rthern $tar")).status, 302);
  });

  test("whoever changes name or avatar too often is told how long to wait", async () => {
    const { at } = await site.signedIn("restless@example.org");
    const tries = { save: { user_name: "x" }, "upload-avatar": {} };
    for (const [intent, fields] of Object.entries(tries)) {
      const post = () => at.post("/user/settings/profile/", { intent, ...fields });
      assert.equal((await post()).status, 422, intent);
      await site.sql`update rate_limits set points = 30 where limit_key like 'user-name:%' or limit_key like 'avatar:%'`;
      const refused = await post();
      assert.equal(refused.status, 429, intent);
      const wait = Number(refused.headers.get("retry-after"));
      assert.ok(wait > 3000 && wait <= 3600, `${intent}: Retry-After ${wait}`);
    }
  });

  test("a session of somebody else cannot be ended, an own one can, and its owner is out", async () => {
    const one = await site.signedIn("sessions@example.org");
    const two = site.browser();
    await site.signIn(two, "sessions@example.org");
    const stranger = await site.signedIn("stranger@example.org");
    const [own] =
      await site.sql`select session_id from sessions where user_id = ${one.user.id} order by created_at desc limit 1`;
    const end = (at: Browser) =>
      at.post("/user/settings/security", { intent: "session-end", session_id: String(own?.session_id) });
    await end(stranger.at);
    assert.equal(await site.isSignedIn(two), true);
    await end(one.at);
    assert.equal(await site.isSignedIn(two), false);
    assert.equal(await site.isSignedIn(one.at), true);
    await site.signIn(two, "sessions@example.org");
    await one.at.post("/user/settings/security", { intent: "sessions-end-others" });
    assert.equal(await site.isSignedIn(two), false);
    assert.equal(await site.isSignedIn(one.at), true);
  });

  test("email, password, second factor and deletion ask once more who it is, and change nothing before", async () => {
    const { at, user } = await site.signedIn("stale@example.org");
    await stale(site, user.email);
    for (const [path, fields] of [
      ["account", { intent: "email", email: "new@example.org" }],
      ["account", { intent: "password", current: "x", next: "another long one" }],
      ["security", { intent: "totp-start" }],
      ["security", { intent: "totp-off" }],
      ["security", { intent: "totp-codes" }],
      ["security", { intent: "passkey-remove", passkey_id: "x" }],
      ["data", {}],
    ] as const) {
      const answer = await at.post(`/user/settings/${path}`, fields);
      assert.equal(answer.status, 302, `${path} ${JSON.stringify(fields)}`);
      assert.match(String(answer.location), /\/user\/reauthenticate\?next=/);
    }
    const [row] =
      await site.sql`select deactivated_at, (select count(*)::int from notification_deliveries where mail_to = ${user.email}) as mails
      from users where user_id = ${user.id}`;
    assert.deepEqual({ ...row }, { deactivated_at: null, mails: 0 });
  });

  test("language and theme are stored, rendered and remembered", async () => {
    const { at } = await site.signedIn("look@example.org");
    const answer = await at.post("/user/settings/appearance", { locale: "de", theme: "light" });
    assert.equal(answer.location, "/de/user/settings/appearance?saved=1");
    assert.match(answer.setCookies.join("\n"), /^theme=light; Path=\/; Max-Age=31536000; SameSite=Lax$/m);
    assert.match(answer.setCookies.join("\n"), /^locale=de;/m);
    assert.match((await at.get("/de/user/settings/appearance")).text, /<html lang="de" data-theme="light"/);
    await at.post("/user/settings/appearance", { locale: "xx", theme: "<b>" });
    assert.match((await at.get("/user/settings/appearance")).text, /<html lang="en" data-theme="dark"/);
  });

  test("no page of a member may be kept by anybody, and none has a style or a script of its own", async () => {
    const { at } = await site.signedIn("private@example.org");
    for (const page of PAGES) {
      const answer = await at.get(`/user/settings/${page}`);
      assert.equal(answer.status, 200, page);
      assert.equal(answer.headers.get("cache-control"), "private, no-store", page);
      assert.doesNotMatch(answer.text, / style=|<style| on[a-z]+="/, page);
    }
  });

  test("the export is a file with everything and no secret", async () => {
    const { at } = await site.signedIn("export@example.org");
    const answer = await at.post("/user/settings/data/export", {});
    assert.match(String(answer.headers.get("content-disposition")), /^attachment; filename="my-data-/);
    assert.equal(answer.headers.get("cache-control"), "private, no-store");
    const held = JSON.parse(answer.text);
    assert.equal(held.tables.users[0].email, "export@example.org");
    assert.doesNotMatch(answer.text, /argon2id/);
    assert.equal(held.tables.audit_events.at(-1).what, "data-exported");
  });

  test("closing an account takes a post with the typed word: looking, an empty form and a wrong word change nothing", async () => {
    const { at, user } = await site.signedIn("hesitant@example.org");
    const open = async () =>
      (await site.sql`select 1 from users where user_id = ${user.id} and deactivated_at is null`).length === 1;
    for (const path of ["/user/settings/data", "/user/settings/data.data", "/de/user/settings/data?confirm=DELETE"]) {
      assert.equal(
        (await at.get(`${path}${path.includes("?") ? "&" : "?"}confirm=DELETE&intent=delete`)).status,
        200,
        path,
      );
    }
    for (const [german, word, said] of [
      ["", "", "Please type DELETE"],
      ["", "delet", "Please type DELETE"],
      ["", "LÖSCHEN", "Please type DELETE"],
      ["/de", "DELETE", "Bitte tippe LÖSCHEN"],
    ] as const) {
      const answer = await at.post(`${german}/user/settings/data`, { confirm: word });
      assert.equal(answer.status, 422, word);
      assert.match(answer.text, new RegExp(said));
      assert.match(answer.text, /<details[^>]* open/);
      if (word) assert.ok(answer.text.includes(`value="${word}"`), word);
    }
    assert.equal(await open(), true);
    assert.equal(await site.isSignedIn(at), true);
    assert.equal((await at.post("/de/user/settings/data", { confirm: " löschen " })).location, "/de/keep-account");
    assert.equal(await open(), false);
  });

  test("deletion signs out everywhere at once, is refused at the sign-in in words, and can be taken back by the mail", async () => {
    const { at, user } = await site.signedIn("leaving@example.org");
    const other = site.browser();
    await site.signIn(other, user.email);
    const answer = await at.post("/user/settings/data", { confirm: "DELETE" });
    assert.equal(answer.location, "/keep-account");
    assert.equal(await site.isSignedIn(at), false);
    assert.equal(await site.isSignedIn(other), false);
    assert.match((await site.signIn(site.browser(), user.email)).text, /This account is closed/);
    const link = await site.linkTo(user.email);
    assert.equal((await at.get("/keep-account?token=wrong")).status, 410);
    assert.equal((await at.get(link)).status, 200);
    assert.equal((await at.post(link, {})).status, 302);
    assert.equal(await site.isSignedIn(at), true);
    assert.equal((await at.post(link, {})).status, 410);
  });

  test("a body that never ends is cut, and one that is far too large is answered in words", async () => {
    const { at } = await site.signedIn("heavy@example.org");
    const heavy = await sendAvatar(site, at, Buffer.alloc(12 * 1024 * 1024, 0xff));
    assert.equal(heavy.status, 413);
    assert.match((await heavy.json()).error, /5 MB at most/);
    assert.equal((await at.post("/user/settings/account", { intent: "email", email: "x".repeat(70_000) })).status, 413);

    const socket = connect(Number(new URL(site.base).port), "127.0.0.1");
    socket.on("error", () => {});
    socket.write(
      `POST /user/settings/avatar HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookiesOf(at)}\r\nSec-Fetch-Site: same-origin\r\n` +
        "Content-Type: multipart/form-data; boundary=b\r\nTransfer-Encoding: chunked\r\n\r\n",
    );
    const chunk = `${(1 << 20).toString(16)}\r\n${"x".repeat(1 << 20)}\r\n`;
    let sent = 0;
    const timer = setInterval(() => {
      if (socket.writableLength < 4 << 20 && !socket.destroyed) {
        socket.write(chunk);
        sent += 1;
      }
    }, 5);
    const first = String((await once(socket, "data"))[0]);
    clearInterval(timer);
    socket.destroy();
    assert.match(first, /^HTTP\/1\.1 413 /);
    assert.ok(sent < 64, `${sent} MB were taken`);
  });
});
