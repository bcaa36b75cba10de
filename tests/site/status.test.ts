/** The status page, calendars, banner and feeds of plans and incidents: what is hidden is in none of them, and a draft neither. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { seedDemoContent } from "#demo/demo-content.ts";
import { recordEvent } from "#domain/notifications/events.ts";
import { followOutages } from "../../jobs/plans.ts";
import { newestMail } from "../e2e/outbox.ts";
import { type AccountSite, startAccountSite } from "../helpers/account-site.ts";
import type { Browser } from "../helpers/browser.ts";
import { createDoor } from "../helpers/test-bed.ts";
import { until } from "../helpers/until.ts";

const INTERVAL_S = 30;
/** Where plans and incidents of game servers are told. */
const TOLD = ["/status", "/de/status", "/calendar.ics", "/feed.atom", "/feed.json", "/games/valheim"];
const EVERYWHERE = [
  ...TOLD,
  "/de/calendar.ics",
  "/games/valheim/calendar.ics",
  "/games/valheim/feed.atom",
  "/news",
  "/",
];

describe("the status page", () => {
  let site: AccountSite;
  let door: Awaited<ReturnType<typeof createDoor>>;
  let member: Browser;
  let admin: Browser;
  const ids = { public: 0, members: 0, hidden: 0 };

  before(async () => {
    site = await startAccountSite({ POLL_INTERVAL_S: String(INTERVAL_S) }, async (url) => {
      door = await createDoor(url);
      return door.url;
    });
    await seedDemoContent(site.database.db);
    for (const seen of ["public", "members", "hidden"] as const) {
      const [made] = await site.sql<{ server_id: number }[]>`
        insert into gameserver (game_id, server_name, adapter, visibility)
        select game_id, ${`Longhall ${seen}`}, 'a2s', ${seen} from games where game_slug = 'valheim' returning server_id`;
      ids[seen] = made?.server_id ?? 0;
      await site.sql`
        with plan as (
          insert into plans (kind, server_id, title, first_local, time_zone, repeats, minutes, due_at)
          values ('maintenance', ${ids[seen]}, ${JSON.stringify({ en: `Works ${seen}` })}::jsonb,
            to_char(now() at time zone 'UTC' + interval '3 hours', 'YYYY-MM-DD"T"HH24:MI'), 'UTC', 'none', 30, null)
          returning plan_id)
        insert into plan_occurrences (plan_id, starts_at, ends_at)
        select plan_id, now() + interval '3 hours', now() + interval '210 minutes' from plan`;
      await incident(`Trouble ${seen} <b>`, [ids[seen]]);
    }
    await incident("Trouble hidden, too", [ids.public, ids.hidden]);
    await site.sql`insert into incidents (about, title) values ('site', '{"en":"A draft"}')`;
    member = (await site.signedIn("member@example.org")).at;
    const made = await site.signedIn("admin@example.org");
    admin = made.at;
    await site.sql`update roles set role = 'admin' where user_id = ${made.user.id}`;
    await until("the page shows them", async () => {
      const text = await page("/status");
      return text.includes("Works public") && text.includes("Trouble public");
    });
  });
  after(async () => {
    door?.heal();
    await site?.stop();
    await door?.close();
  });

  const page = async (path: string) => (await site.browser().get(path)).text;

  /** Publishes one about these game servers. */
  const incident = (title: string, serverIds: number[]) => site.sql`
    with incident as (
      insert into incidents (about, title, published_at)
      values ('servers', ${JSON.stringify({ en: title })}::jsonb, now()) returning incident_id)
    insert into incident_servers (incident_id, server_id)
    select incident_id, server_id from incident, unnest(${serverIds}::int[]) server_id`;

  test("visitors read of what they may see, and of nothing else; members read theirs; no draft is anywhere", async () => {
    for (const path of EVERYWHERE) {
      const text = await page(path);
      if (TOLD.includes(path)) assert.match(text, /Works public/, path);
      assert.doesNotMatch(text, /(?:Works|Trouble|Longhall) (?:members|hidden)|A draft/, path);
    }
    for (const path of ["/status", "/feed.atom", "/games/valheim"])
      assert.match(await page(path), /Trouble public &(?:lt|#60);b&(?:gt|#62);/, path);
    assert.match(await page("/status"), /Maintenance in [23] hours/);
    assert.match(await page("/de/status"), /Wartung in [23] Stunden/);
    assert.match(await page(`/servers/${ids.public}`), /Maintenance in [23] hours/);

    for (const path of ["/status", "/de/status", "/games/valheim", `/servers/${ids.members}`]) {
      const { text } = await member.get(path);
      assert.match(text, path.startsWith("/games") ? /Trouble members/ : /Works members/, path);
      assert.doesNotMatch(text, /(?:Works|Trouble|Longhall) hidden|A draft/, path);
    }
    assert.match((await member.get("/status")).text, /Trouble members/);
    // Programs fetch these without a session, and what is kept of them is the same for all.
    for (const path of ["/calendar.ics", "/feed.atom", "/feed.json"])
      assert.doesNotMatch((await member.get(path)).text, /(?:Works|Trouble) (?:members|hidden)/, path);
    for (const id of [ids.members, ids.hidden])
      assert.equal((await member.get(`/servers/${id}/calendar.ics`)).status, 404);
  });

  test("a plan stands in feeds by the minute, and calendars take nothing", async () => {
    const feed: { items: { summary: string }[] } = JSON.parse(await page("/feed.json"));
    const plan = feed.items.find(({ summary }) => summary.startsWith("Maintenance: Longhall public"));
    assert.match(plan?.summary ?? "", /, \d+ \w+ \d{4}, \d\d:\d\d UTC$/);
    const german: { items: { title: string; language: string }[] } = JSON.parse(await page("/de/feed.json"));
    assert.equal(german.items.find(({ title }) => title === "Trouble public <b>")?.language, "en");
    for (const path of ["/calendar.ics", `/de/servers/${ids.public}/calendar.ics`]) {
      const refused = await site.browser().post(path, {});
      assert.equal(refused.status, 405, path);
    }
  });

  test("maintenance that nobody planned is not denied under what is planned", async () => {
    const planned = (text: string) => /id="planned"[\s\S]*?<\/section>/.exec(text)?.[0] ?? "";
    await site.sql`update plans set ended_at = now() where ended_at is null`;
    await until("nothing is planned", async () => /Nothing is planned/.test(planned(await page("/status"))));
    await site.sql`update gameserver set lifecycle = 'maintenance' where server_id = ${ids.public}`;
    await until("an admin works on one", async () => /Nothing else is planned/.test(planned(await page("/status"))));
    await site.sql`update gameserver set lifecycle = 'active' where server_id = ${ids.public}`;
    await site.sql`update plans set ended_at = null`;
    await until("it is as before", async () => /Works public/.test(planned(await page("/status"))));
  });

  test("a draft is for admins alone, by its list, its page and its form", async () => {
    const [draft] = await site.sql<{ incident_id: number }[]>`
      select incident_id from incidents where published_at is null`;
    const path = `/admin/status/incidents/${draft?.incident_id}`;
    assert.match((await admin.get("/admin/status")).text, /A draft/);
    assert.match((await admin.get(path)).text, /nobody but admins sees it/);
    const words = { intent: "publish", title_en: "Told by nobody", title_de: "" };
    for (const [at, refused] of [
      [member, 403],
      [site.browser(), 302],
    ] as const) {
      for (const asked of ["/admin/status", path]) {
        const answer = await at.get(asked);
        assert.equal(answer.status, refused, asked);
        assert.doesNotMatch(answer.text, /A draft/);
      }
      assert.equal((await at.post(path, words)).status, refused);
    }
    assert.equal((await site.sql`select from incidents where published_at is null`).length, 1);
  });

  test("it goes on while the database is away", async () => {
    const paths = [
      "/status",
      "/de/status",
      "/news",
      "/de/news",
      "/calendar.ics",
      `/servers/${ids.public}/calendar.ics`,
    ];
    door.cut();
    try {
      for (const path of paths) {
        const answer = await site.browser().get(path);
        assert.equal(answer.status, 200, path);
        if (!path.includes("news")) assert.match(answer.text, /Works public/, path);
        assert.doesNotMatch(answer.text, /(?:Works|Trouble|Longhall) (?:members|hidden)|A draft/, path);
      }
    } finally {
      door.heal();
    }
  });

  test("an outage of six minutes is a draft, is told once when an admin publishes it, and closes itself", async () => {
    const measured = (status: string, sinceS: number) => site.sql`
      update gameserver_live_metrics set status = ${status}, status_since = now() - interval '1 second' * ${sinceS},
        last_asked_at = now(), last_answered_at = case when ${status} = 'online' then now() end
      where server_id = ${ids.public}`;
    const look = () => followOutages({ db: site.database.db, siteIntervalS: INTERVAL_S });
    const follower = await site.signedIn("follower@example.org");
    const wish = { intent: "follow", kind: "news", server_id: String(ids.public) };
    assert.equal((await follower.at.post("/following/mail", wish)).status, 200);
    const told = async () =>
      (
        await site.sql<{ kind: string }[]>`
          select e.kind from notification_deliveries join notification_events e using (event_id)
          where e.subject_id = ${String(found?.incident_id)} order by e.event_id`
      ).map(({ kind }) => kind);
    let found: { incident_id: number } | undefined;

    // A little more than six: it is over a second before the return was measured.
    await measured("offline", 375);
    await look();
    await look();
    const drafts = await site.sql<{ incident_id: number }[]>`
      select incident_id from incidents where by_outage and published_at is null and closed_at is null`;
    assert.equal(drafts.length, 1);
    found = drafts[0];
    const path = `/admin/status/incidents/${found?.incident_id}`;
    assert.match((await admin.get(path)).text, /Longhall public/);
    assert.deepEqual(await told(), []);
    // The outage itself is told to whoever runs the site, once, and leads them to the draft.
    const happened_at = new Date(Date.now() - 360_000);
    await recordEvent(site.database.db, {
      kind: "server_down",
      about: { server_id: ids.public },
      dedupe_key: "server_down:six minutes",
      happened_at,
    });
    const mail = await newestMail(site.dataDir, "admin@example.org", /Longhall public is down/);
    assert.ok(mail.includes(path), mail);
    const toAdmins = () => site.sql`
      select from notification_deliveries d join notification_events e using (event_id)
      where e.dedupe_key = 'server_down:six minutes' and by_rule`;
    assert.equal((await toAdmins()).length, 1);

    const words = { intent: "publish", title_en: "The longhall burns", title_de: "Die Halle brennt" };
    assert.doesNotMatch(await page("/status"), /The longhall burns/);
    for (const turn of [1, 2]) assert.ok((await admin.post(path, words)).status < 400, `turn ${turn}`);
    await until("it is shown", async () => (await page("/status")).includes("The longhall burns"));
    assert.match(await page("/de/status"), /Die Halle brennt/);
    assert.match(await page(`/de/servers/${ids.public}`), /Die Halle brennt/);
    await until("the follower is told", async () => (await told()).length > 0);

    await measured("online", 1);
    await look();
    await until("it is over", async () => (await page("/status")).includes("Over after 6 minutes"));
    await until("and that is told", async () => (await told()).length > 1);
    assert.deepEqual(await told(), ["incident_opened", "incident_closed"]);
    assert.equal((await toAdmins()).length, 1);
    assert.doesNotMatch(await page(`/servers/${ids.public}`), /The longhall burns/);
  });

  test("what becomes hidden or is deleted is gone from all of them", async () => {
    await site.sql`update gameserver set visibility = 'hidden' where server_id = ${ids.public}`;
    await until("it is gone", async () => !(await page("/status")).includes("Works public"));
    for (const path of EVERYWHERE)
      assert.doesNotMatch(await page(path), /(?:Works|Trouble|Longhall) \w|longhall burns/, path);
    await site.sql`delete from gameserver where server_id = any(${Object.values(ids)})`;
    assert.equal((await site.sql`select from plans`).length, 0);
    await until("members see none either", async () => {
      const { text } = await member.get("/status");
      return /Nothing is planned/.test(text) && !/Trouble|longhall/.test(text);
    });
  });
});
