/** A change of address takes a yes from both mailboxes while the request runs: what is missing, late, old or raced is no yes. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type AccountSite, startAccountSite } from "#tests/helpers/account-site.ts";
import type { Browser } from "#tests/helpers/browser.ts";

let site: AccountSite;
before(async () => {
  site = await startAccountSite();
});
after(() => site.stop());

/** Asks for a change, and gives the links that went to the old and to the new mailbox. */
async function ask(at: Browser, from: string, to: string) {
  const answer = await at.post("/user/settings/account", { intent: "email", email: to });
  assert.equal(answer.status, 200);
  return { old: await site.linkTo(from), new: await site.linkTo(to) };
}
async function begin(name: string) {
  const [from, to] = [`${name}@example.org`, `${name}@new.example.org`];
  const { at, user } = await site.signedIn(from);
  return { at, user, from, to, links: await ask(at, from, to) };
}
const use = (link: string) => site.browser().post(link, {});
const addressOf = async (userId: string) =>
  (await site.sql<{ email: string }[]>`select email from users where user_id = ${userId}`)[0]?.email;

test("an expired link is no yes, whichever it is, and a yes given before does not outlive the request", async () => {
  for (const side of ["old", "new"] as const) {
    for (const other of [false, true]) {
      const { user, from, links } = await begin(`late-${side}-${other}`);
      if (other) assert.equal((await use(links[side === "old" ? "new" : "old"])).status, 200);
      await site.sql`update email_changes set expires_at = now() - interval '1 ms' where user_id = ${user.id}`;
      for (const link of [links[side], links.old, links.new]) assert.equal((await use(link)).status, 410, side);
      assert.equal(await addressOf(user.id), from, side);
    }
  }
});

test("one yes changes nothing, a link counts once, and both yeses move the account, sign it out and tell both mailboxes", async () => {
  const { at, user, from, to, links } = await begin("moves");
  assert.match((await site.browser().get(links.old)).text, /moves@new\.example\.org/);
  assert.equal(await addressOf(user.id), from, "looking is no yes");
  assert.match((await use(links.new)).text, /Now use the link in the email to your other address/);
  assert.equal((await use(links.new)).status, 410, "twice");
  assert.equal(await addressOf(user.id), from);
  assert.match(
    (await at.get("/user/settings/account")).text,
    /moves@new\.example\.org<!-- --> has said yes|has said yes/,
  );
  assert.match((await use(links.old)).text, /Your address is changed/);
  assert.equal(await addressOf(user.id), to);
  assert.equal(await site.isSignedIn(at), false);
  for (const mailbox of [from, to]) {
    const { template, data } = await site.newestMail(mailbox);
    assert.deepEqual([template, data.what], ["security-changed", "email-changed"], mailbox);
  }
  for (const link of [links.old, links.new]) assert.equal((await use(link)).status, 410, "after the change");
});

test("both links at the same moment, each three times: the account moves once", async () => {
  const { user, to, links } = await begin("both");
  const answers = await Promise.all([links.old, links.new, links.old, links.new, links.old, links.new].map(use));
  const said = answers.map(({ text }) =>
    /is changed/.test(text) ? "done" : /other address/.test(text) ? "half" : "no",
  );
  assert.deepEqual(said.sort(), ["done", "half", "no", "no", "no", "no"]);
  assert.equal(await addressOf(user.id), to);
  const told = await site.sql`select 1 from audit_events where what = 'email-changed' and actor_id = ${user.id}`;
  assert.equal(told.length, 1);
});

test("a change that was taken back, or asked for anew, has no good links, and a yes to it does not count for the next", async () => {
  const { at, user, from, links } = await begin("wavers");
  await use(links.old);
  assert.equal((await at.post("/user/settings/account", { intent: "email-cancel" })).status, 200);
  assert.equal((await use(links.new)).status, 410, "taken back");
  const second = await ask(at, from, "wavers@new.example.org");
  await use(second.old);
  const third = await ask(at, from, "wavers@third.example.org");
  assert.equal((await use(second.new)).status, 410, "asked anew");
  await use(third.new);
  assert.equal(await addressOf(user.id), from, "the yes of the old mailbox was to another address");
});

test("whoever is quicker has the address: a sign-up, or one of two members who move to it at once", async () => {
  const { user, from, to, links } = await begin("slow");
  await use(links.old);
  await site.member(to);
  assert.equal((await use(links.new)).status, 410);
  assert.equal(await addressOf(user.id), from);

  const wanted = "wanted@new.example.org";
  const both = await Promise.all(
    ["first", "second"].map(async (name) => {
      const { at, user } = await site.signedIn(`${name}@example.org`);
      return { user, links: await ask(at, `${name}@example.org`, wanted) };
    }),
  );
  for (const one of both) assert.equal((await use(one.links.old)).status, 200);
  const ended = await Promise.all(both.map((one) => use(one.links.new)));
  assert.deepEqual(ended.map(({ status }) => status).sort(), [200, 410]);
  const moved = await Promise.all(both.map((one) => addressOf(one.user.id)));
  assert.equal(moved.filter((email) => email === wanted).length, 1);
});

test("an account that is banned, closed, erased or elsewhere by now does not move", async () => {
  const fates = {
    banned: (id: string) => site.sql`update users set banned_until = 'infinity' where user_id = ${id}`,
    closed: (id: string) => site.sql`update users set deactivated_at = now() where user_id = ${id}`,
    elsewhere: (id: string) => site.sql`update users set email = 'elsewhere@example.net' where user_id = ${id}`,
    erased: (id: string) => site.sql`delete from users where user_id = ${id}`,
  };
  for (const [fate, befall] of Object.entries(fates)) {
    const { user, to, links } = await begin(fate);
    await use(links.new);
    await befall(user.id);
    assert.equal((await use(links.old)).status, 410, fate);
    assert.notEqual(await addressOf(user.id), to, fate);
  }
});
