/** Setting a site up, through the front door: refusals first, then every step, what it leaves, and what the dashboard says. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import sharp from "sharp";
import { ensureFirstAdminLink } from "#domain/accounts/first-admin.ts";
import { type Role, updateRole } from "#domain/members/roles.ts";
import { type AccountSite, PASSWORD, startAccountSite } from "#tests/helpers/account-site.ts";
import type { Browser } from "#tests/helpers/browser.ts";
import { type MailServer, readableMail, startMailServer } from "#tests/helpers/mail-server.ts";

const at = (step: string) => `/admin/setup?step=${step}`;
const BRAND = { intent: "save", site_name: "Harbour", tagline_en: "Come in", tagline_de: "Komm rein" };
const LEGAL = {
  intent: "save",
  operator_name: "Ada",
  operator_representative: "",
  operator_address: "Quay 1",
  operator_country: "",
  operator_register: "",
  operator_vat_id: "",
  court: "Hamburg",
  liability_sum: "",
};

const revisionIn = (text: string) => /name="revision" value="(\d+)"/.exec(text)?.[1] ?? "";
const currentIn = (text: string) => /<a(?=[^>]*aria-current="step")[^>]*step=(\w+)/.exec(text)?.[1];

describe("a site that is set up", () => {
  let site: AccountSite;
  let mailServer: MailServer;
  let refusesMail: [number, string] | null = null;
  let people: Record<"nobody" | Role, Browser>;

  async function withRole(role: Role) {
    const email = `${role}@example.org`;
    const { id } = await site.member(email);
    await updateRole(site.database.db, id, role);
    const browser = site.browser();
    assert.equal((await site.signIn(browser, email)).status, 302);
    return browser;
  }
  const stored = async (key: string) =>
    (await site.sql`select setting_value as value from site_settings where setting_key = ${key}`)[0]?.value;

  before(async () => {
    mailServer = await startMailServer({ recipient: () => refusesMail });
    site = await startAccountSite({ SMTP_URL: mailServer.url, MAIL_FROM: "site@example.org" });
    people = {
      nobody: site.browser(),
      user: await withRole("user"),
      moderator: await withRole("moderator"),
      admin: await withRole("admin"),
    };
  });
  beforeEach(async () => {
    await site.sql`delete from rate_limits`;
    await site.sql`delete from site_settings`;
    await site.sql`delete from gameserver`;
    await site.sql`delete from games`;
  });
  after(async () => {
    await site.stop();
    await mailServer.close();
  });

  test("what is wrong is refused beside its field, and every step refuses what is none of its own", async () => {
    const { admin } = people;
    for (const [step, fields] of [
      ["brand", { ...BRAND, site_name: "" }],
      ["contact", { intent: "save", discord_url: "http://discord.gg/x", contact_email: "" }],
      ["contact", { intent: "save", discord_url: "", contact_email: "nobody" }],
    ] as const) {
      const answer = await admin.post(at(step), { ...fields, revision: "0" });
      assert.equal(answer.status, 422);
      assert.match(answer.text, /aria-invalid="true"/);
      assert.equal(currentIn(answer.text), step);
    }
    for (const path of [at("done"), at("backup")])
      assert.equal((await admin.post(path, { ...BRAND, revision: "0" })).status, 422, path);
    for (const path of ["/admin/setup", at("nonsense")])
      assert.equal((await admin.post(path, { ...BRAND, revision: "0" })).location, at("brand"), path);
    assert.equal((await site.sql`select 1 from site_settings`).length, 0);
    assert.equal((await admin.post(at("games"), {})).status, 422);
    assert.equal((await admin.post(at("games"), { catalogue_id: "no-such-game" })).status, 422);
    assert.equal((await admin.post(at("brand"), { ...LEGAL, ...BRAND, revision: "0" })).status, 302);
    assert.equal(await stored("operator_name"), undefined, "another step's field");
    assert.equal((await site.sql`select 1 from games`).length, 0);
  });

  test("each step is saved on its own and leads on; one can skip, come back, and go on where one was", async () => {
    const { admin } = people;
    assert.equal((await admin.get("/admin/setup")).location, at("brand"));
    const first = await admin.get(at("brand"));
    const saved = await admin.post(at("brand"), { ...BRAND, revision: revisionIn(first.text) });
    assert.equal(saved.location, at("games"));
    assert.equal(await stored("site_name"), "Harbour");
    assert.deepEqual(await stored("tagline"), { en: "Come in", de: "Komm rein" });

    assert.equal((await admin.post(at("games"), { intent: "skip" })).location, at("servers"));
    assert.equal((await admin.post(at("servers"), { intent: "skip" })).location, at("contact"));
    assert.deepEqual(await stored("setup_skipped"), ["games", "servers"]);
    assert.equal((await admin.get("/admin/setup")).location, at("contact"));
    const resumed = await admin.get(at("contact"));
    assert.equal(currentIn(resumed.text), "contact");
    assert.match(resumed.text, /data-state="done"[^>]*>(?:(?!<\/li>).)*Name and look/);
    assert.match(resumed.text, /data-state="skipped"[^>]*>(?:(?!<\/li>).)*Games/);

    // Half of it is saved, and the rest is left for later.
    const half = { intent: "save", discord_url: "https://discord.gg/harbour", contact_email: "", revision: "0" };
    assert.equal((await admin.post(at("contact"), half)).location, at("legal"));
    assert.equal(await stored("discord_url"), "https://discord.gg/harbour");
    assert.deepEqual(await stored("setup_skipped"), ["games", "servers", "contact"]);
    assert.equal((await admin.post(at("legal"), { ...LEGAL, revision: "0" })).location, at("mail"));
    assert.equal((await admin.post(at("backup"), { intent: "skip" })).location, at("done"));
    assert.equal((await admin.get("/admin/setup")).location, at("done"));
    const end = await admin.get(at("done"));
    assert.equal(currentIn(end.text), "done");
    assert.match(end.text, /Almost there/);

    assert.equal((await admin.post(at("games"), { all_eight: "on" })).location, at("servers"));
    const pasted = await admin.post(at("servers"), { intent: "start", text: "203.0.113.7:2456\nno address at all" });
    assert.match(pasted.location ?? "", /^\/admin\/setup\?step=servers&batch=\d+$/);
    const batch = await admin.get(pasted.location ?? "");
    assert.match(batch.text, /203\.0\.113\.7:2456/);
    assert.equal(currentIn(batch.text), "servers");
    assert.match((await admin.get(at("servers"))).text, /step=servers&amp;batch=/, "it waits for whoever comes back");
    assert.equal((await admin.post(at("servers"), { intent: "start", text: "" })).status, 422);
    assert.equal((await site.sql`select 1 from games`).length, 8);
    assert.doesNotMatch((await admin.get(at("done"))).text, /<li><a[^>]*step=games/, "what is done is not left");
  });

  test("the texts of a form are saved with its logo, and without one that is no picture", async () => {
    const { admin } = people;
    const png = await sharp({ create: { width: 300, height: 90, channels: 4, background: "#fa0" } })
      .png()
      .toBuffer();
    const form = (bytes: Uint8Array<ArrayBuffer>, revision: string) => {
      const body = new FormData();
      for (const [name, value] of Object.entries({ ...BRAND, revision })) body.set(name, value);
      body.set("picture", new Blob([bytes], { type: "image/png" }), "logo.png");
      return body;
    };
    const bad = await admin.post(at("brand"), form(new TextEncoder().encode("no picture"), "0"));
    assert.equal(bad.status, 422);
    assert.match(bad.text, /The texts are saved, the logo is not\./);
    assert.equal(await stored("site_name"), "Harbour");
    const good = await admin.post(at("brand"), form(new Uint8Array(png), revisionIn(bad.text)));
    assert.equal(good.location, at("games"));
    assert.equal((await stored("logo")).width, 300);
    assert.equal((await admin.post(at("brand"), { intent: "remove-logo" })).status, 200);
    assert.equal(await stored("logo"), undefined);
  });

  test("two admins at one step run into each other; at two steps they do not, nor into the settings page", async () => {
    const { admin } = people;
    const [one, legal] = await Promise.all([admin.get(at("brand")), admin.get(at("legal"))]);
    const other = { ...BRAND, site_name: "Lighthouse", revision: revisionIn(one.text) };
    assert.equal((await admin.post(at("brand"), other)).status, 302);
    const late = await admin.post(at("brand"), { ...BRAND, revision: revisionIn(one.text) });
    assert.equal(late.status, 409);
    assert.match(late.text, /Lighthouse/);
    assert.match(late.text, /value="Harbour"/);
    assert.equal(await stored("site_name"), "Lighthouse");
    assert.equal((await admin.post(at("legal"), { ...LEGAL, revision: revisionIn(legal.text) })).status, 302);
  });

  test("a test email reaches the admin, and a refusal is told in words", async () => {
    const { admin } = people;
    const sent = await admin.post(`/de${at("mail")}`, { intent: "test-mail" });
    assert.equal(sent.status, 200);
    assert.match(sent.text, /Der Mailserver hat sie angenommen\..*admin@example\.org/);
    const [mail] = mailServer.received;
    assert.deepEqual([mail?.from, mail?.to], ["site@example.org", ["admin@example.org"]]);
    assert.match(readableMail(mail?.raw ?? ""), /E-Mails deiner Seite kommen an/);
    refusesMail = [550, "we know nobody of that name"];
    const refused = await admin.post(at("mail"), { intent: "test-mail" });
    refusesMail = null;
    assert.equal(refused.status, 503);
    assert.match(refused.text, /could not be sent\..*we know nobody of that name/);
    assert.equal(
      (await site.sql`select 1 from notification_deliveries where template = 'test-mail'`).length,
      0,
      "no trouble to tell of later",
    );
    for (let left = 3; left > 0; left -= 1) await admin.post(at("mail"), { intent: "test-mail" });
    assert.equal((await admin.post(at("mail"), { intent: "test-mail" })).status, 429);
  });

  test("the dashboard offers it until the site is live, then lists what is missing, until that is put away", async () => {
    const { admin } = people;
    const list = async () => (await admin.get("/admin/dashboard")).text;
    assert.match(await list(), /Your site is not live yet/);
    assert.match(await list(), /Set the site up/);
    await site.sql`with game as (insert into games (game_name, game_acronym, game_slug, tagline, description)
        values ('Aion', 'A', 'aion', '{"en":""}', '{"en":""}') returning game_id)
      insert into gameserver (game_id, server_name, user_max, visibility, host, game_port, adapter)
      select game_id, 'One', 8, 'public', '203.0.113.7', 2456, 'tcp' from game`;
    const live = await list();
    assert.doesNotMatch(live, /not live yet/);
    assert.match(live, /<h2[^>]*>Still to do/);
    assert.match(live, /step=brand/);
    assert.doesNotMatch(live, /step=(?:games|servers|mail)"/, "what is there is not missing");
    assert.match((await admin.get(at("done"))).text, /Your site is live\./);

    assert.equal((await admin.post("/admin/setup", { intent: "put-away" })).location, "/admin/dashboard");
    assert.doesNotMatch(await list(), /admin\/setup/);
    assert.match((await admin.get(at("done"))).text, /it was put away/);
    await admin.post(at("done"), { intent: "bring-back" });
    assert.match(await list(), /Still to do/);
    const audited =
      await site.sql`select details from audit_events where what = 'settings-changed' order by event_id desc limit 2`;
    assert.deepEqual(
      audited.map(({ details }) => details.after),
      [{ setup_put_away: false }, { setup_put_away: true }],
    );
  });

  test("the first link leads to it, in its language", async () => {
    await site.sql`update roles set role = 'user' where role = 'admin'`;
    const link = await ensureFirstAdminLink(site.database.db);
    const browser = site.browser();
    const made = await browser.post(`/de${link}`, { email: "first@example.org", password: PASSWORD });
    assert.equal(made.location, "/de/admin/setup");
    assert.equal((await browser.get("/de/admin/setup")).location, `/de${at("brand")}`);
    const page = await browser.get(`/de${at("brand")}`);
    assert.match(page.text, /Wie heißt deine Community\?/);
    assert.equal(currentIn(page.text), "brand");
  });
});

test("a site without mail server and backup folder says what to set", async () => {
  const site = await startAccountSite();
  try {
    const { id } = await site.member("admin@example.org");
    await updateRole(site.database.db, id, "admin");
    const admin = site.browser();
    await site.signIn(admin, "admin@example.org");
    assert.match((await admin.get(at("mail"))).text, /SMTP_URL=smtp/);
    assert.match((await admin.get(at("backup"))).text, /BACKUP_DIR=/);
    assert.equal((await admin.post(at("mail"), { intent: "test-mail" })).status, 422);
  } finally {
    await site.stop();
  }
});
