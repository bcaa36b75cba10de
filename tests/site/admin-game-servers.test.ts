/** What admins do to game servers, through the front door: refusals first. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { seedDemoContent } from "#demo/demo-content.ts";
import { gameServerFields } from "#domain/game-servers/fields.ts";
import { ADAPTER_OPTIONS, ADAPTER_SECRETS } from "#shared/adapters.ts";
import { type AccountSite, startAccountSite } from "../helpers/account-site.ts";
import type { Browser } from "../helpers/browser.ts";
import { until } from "../helpers/until.ts";

/** The fields of one link. */
const linkRow = (at: number, more: Record<string, string> = {}): Record<string, string> => {
  const link = {
    name: "launcher",
    label_en: "The launcher",
    label_de: "Der Launcher",
    url: "https://example.org/l",
    ...more,
  };
  return Object.fromEntries(Object.entries(link).map(([part, expected]) => [`links.${at}.${part}`, expected]));
};

describe("game servers in the admin area", () => {
  let site: AccountSite;
  let admin: Browser;
  let game = 0;

  before(async () => {
    site = await startAccountSite();
    await seedDemoContent(site.database.db);
    const { at } = await site.signedInAdmin("admin@example.org");
    admin = at;
    const [row] = await site.sql<{ game_id: number }[]>`select game_id from games where game_slug = 'minecraft'`;
    game = row?.game_id ?? 0;
  });
  after(() => site.stop());

  const form = (more: Record<string, string> = {}) => ({
    game_id: String(game),
    server_name: "Blocks",
    user_max: "20",
    visibility: "public",
    server_locations: "Germany, Finland, germany",
    lifecycle: "active",
    password_access: "none",
    adapter: "minecraft",
    show_details: "on",
    host: "play.example.org",
    game_port: "25565",
    ...more,
  });
  async function create(more: Record<string, string> = {}) {
    const answer = await admin.post("/admin/gameservers/create", form(more));
    // One that reports itself gets the line for its machine next.
    const next = more.adapter === "heartbeat" ? "heartbeat" : "edit";
    const id = Number(new RegExp(`/admin/gameservers/(\\d+)/${next}\\?done=created$`).exec(answer.location ?? "")?.[1]);
    assert.ok(id, answer.text.replace(/<script[\s\S]*?<\/script>/g, "").slice(-3000));
    return id;
  }
  const row = async (id: number) => (await site.sql`select * from gameserver where server_id = ${id}`)[0];
  const revisionIn = (text: string) => /name="revision" value="(\d+)"/.exec(text)?.[1] ?? "";
  const revisionOf = async (id: number) => revisionIn((await admin.get(`/admin/gameservers/${id}/edit`)).text);

  test("what cannot be right is refused beside its field, and what was typed stays", async () => {
    const before = (await site.sql`select count(*)::int as n from gameserver`)[0]?.n;
    for (const [more, expected] of [
      [{ server_name: "" }, "This must be filled in."],
      [{ server_name: "x".repeat(81) }, "This is too long."],
      [{ game_id: "" }, "Choose a game."],
      [{ game_id: "987654" }, "There is no such game."],
      [{ game_id: "1 or 1=1" }, "whole number"],
      [{ user_max: "100001" }, "a whole number from 0 to 100,000."],
      [{ user_max: "-1" }, "whole number"],
      [{ user_max: "1e3" }, "whole number"],
      [{ game_port: "0" }, "whole number"],
      [{ game_port: "65536" }, "whole number"],
      [{ game_port: "22" }, "This port may not be asked"],
      [{ game_port: "5432" }, "This port may not be asked"],
      [{ game_port: "25565", query_port: "6379" }, "This port may not be asked"],
      [{ adapter: "a2s", game_port: "" }, "needs a port"],
      [{ adapter: "gamedig", gamedig_type: "rm -rf" }, "Please choose one"],
      [{ adapter: "shell" }, "Please choose one"],
      [{ visibility: "everybody" }, "Please choose one"],
      [{ lifecycle: "deleted" }, "Please choose one"],
      [{ adapter: "tcp", expect: "prefix", expect_prefix: "zz" }, "Only pairs of"],
      [{ poll_interval_s: "0" }, "whole number"],
      [{ host: "not a host" }, "neither a host name"],
      [{ host: "not a host", game_port: "0", poll_interval_s: "x" }, "neither a host name"],
      [{ host: "-bad-.example" }, "neither a host name"],
      [{ host: "127.0.0.1" }, "This address may not be asked"],
      [{ host: "localhost" }, "This address may not be asked"],
      [{ host: "169.254.169.254" }, "This address may not be asked"],
      [{ host: "[::1]" }, "This address may not be asked"],
      [{ host: "::ffff:10.0.0.1" }, "This address may not be asked"],
      [{ host: "2130706433" }, "This address may not be asked"],
      [{ host: "0x7f.1" }, "This address may not be asked"],
      [{ join_link: "javascript:alert(1)//{host}" }, "Only links that begin with steam"],
      [{ join_link: "file:///etc/{host}" }, "Only links that begin with steam"],
      [{ join_link: "{host}" }, "Only links that begin with steam"],
      [{ join_link: "steam://connect/{host}:{prot}" }, "Only these are filled in: {host} {port} {name} {password}"],
      [{ password: "word" }, "say who may read it"],
      [{ password_access: "members" }, "This must be filled in."],
      [{ password_access: "friends", password: "word" }, "Please choose one"],
      [{ password_access: "ask", password: "x".repeat(65) }, "This is too long."],
      [{ access_note_en: "x".repeat(301) }, "This is too long."],
      [linkRow(0, { url: "http://example.org/x" }), "Only links that begin with https"],
      [linkRow(0, { url: "javascript:alert(1)" }), "Only links that begin with https"],
      [linkRow(0, { url: "/demo/../admin" }), "Only links that begin with https"],
      [linkRow(0, { url: "//evil.example/" }), "Only links that begin with https"],
      [linkRow(0, { name: "The Launcher" }), "Only small letters, digits and hyphens"],
      [linkRow(0, { label_en: "" }), "This must be filled in."],
      [{ ...linkRow(0), ...linkRow(1) }, "Another link has this name."],
      [Object.assign({}, ...Array.from({ length: 9 }, (_, at) => linkRow(at, { name: `n${at}` }))), "too many"],
      [{ lifecycle: "maintenance", maintenance_until: "2020-01-01T00:00" }, "in the past"],
      [{ lifecycle: "maintenance", maintenance_until: "tomorrow" }, "no date and time"],
      [{ mods: "x".repeat(81) }, "This is too long."],
    ] as [Record<string, string>, string][]) {
      const answer = await admin.post("/admin/gameservers/create", form(more));
      assert.equal(answer.status, 422, JSON.stringify(more));
      assert.ok(answer.text.includes("Error creating game server!"), JSON.stringify(more));
      assert.ok(answer.text.includes(expected), `${JSON.stringify(more)}: ${expected}`);
      if (!("host" in more)) assert.match(answer.text, /value="play\.example\.org"/);
    }
    assert.equal((await site.sql`select count(*)::int as n from gameserver`)[0]?.n, before);
  });

  test("every field has its input: one that is missing would be emptied by each save", async () => {
    const { text } = await admin.get("/admin/gameservers/create");
    const { adapter_options, links, ...inputs } = gameServerFields.shape;
    for (const name of [...Object.keys(inputs), ...Object.keys(links.element.shape).map((part) => `links.0.${part}`)])
      assert.match(text, new RegExp(`<(?:input|select|textarea)[^>]* name="${RegExp.escape(name)}"`), name);
  });

  test("what few need is folded, says what is set in it, and is open where something in it is wrong", async () => {
    const folds = (text: string) =>
      [...text.matchAll(/<details class="[^"]*fold[^"]*"( open="")?[^>]*>([\s\S]*?)<\/details>/g)].map(
        ([, open, inside = ""]) => ({
          open: open !== undefined,
          inside,
          said: />([^<]*)<\/span><\/summary>/.exec(inside)?.[1],
        }),
      );
    const fresh = folds((await admin.get("/admin/gameservers/create")).text);
    assert.deepEqual(
      fresh.map(({ open, said }) => [open, said]),
      [
        [false, "Active"],
        [false, "Nothing set"],
        [false, "Nothing set"],
        [false, "Nothing set"],
      ],
    );
    const id = await create({ query_port: "27016", mods: "One, two\r\nThree", lifecycle: "retired", join_link: "" });
    const { text } = await admin.get(`/admin/gameservers/${id}/edit`);
    const said = folds(text).map((fold) => fold.said);
    assert.match(String(said[0]), /^Inactive · User Max: 20 · Server Locations: Germany, Finland/);
    assert.deepEqual(said.slice(1), ["Query port: 27016", "Nothing set", "Mods: 2"]);
    assert.deepEqual((await row(id))?.mods, ["One, two", "Three"], "one to a line, commas and all");
    for (const [more, at] of [
      [{ user_max: "-1" }, 0],
      [{ adapter: "tcp", expect: "prefix", expect_prefix: "zz" }, 1],
      [{ version: "x".repeat(61) }, 2],
      [linkRow(0, { url: "http://example.org/x" }), 3],
    ] as [Record<string, string>, number][]) {
      const refused = folds((await admin.post("/admin/gameservers/create", form(more))).text);
      assert.deepEqual(
        refused.map(({ open }) => open),
        [0, 1, 2, 3].map((fold) => fold === at),
        JSON.stringify(more),
      );
      assert.match(refused[at]?.inside ?? "", /aria-invalid="true"/);
      assert.equal(refused[at]?.said, "Please check the marked fields.");
    }
  });

  test("the options of each adapter have a rule that shows them with it alone", async () => {
    const css = await readFile(
      path.join(import.meta.dirname, "../../app/routes/admin/game-servers/form.module.css"),
      "utf8",
    );
    for (const adapter of new Set([...ADAPTER_OPTIONS, ...ADAPTER_SECRETS].map((one) => one.adapter)))
      assert.ok(
        css.includes(`.only[data-of="${adapter}"]:not(form:has(option[value="${adapter}"]:checked) *)`),
        adapter,
      );
  });

  test("what a form does not have is ignored", async () => {
    const id = await create({
      server_id: "1",
      heartbeat_token_hash: "x",
      demo: "true",
      sort_order: "-9",
      created_at: "2000-01-01",
    });
    const made = await row(id);
    assert.equal(made?.heartbeat_token_hash, null);
    assert.equal(made?.demo, false);
    const [last] = await site.sql`select max(sort_order) as place from gameserver
      where game_id = ${game} and server_id <> ${id}`;
    assert.equal(made?.sort_order, last?.place + 1);
    assert.deepEqual(made?.server_locations, ["Germany", "Finland", "germany"]);
  });

  test("links have an order, labels and an end; they are shown in the guide, and asked for where they are missing", async () => {
    const two = {
      ...linkRow(2, { name: "torrent", label_de: "" }),
      ...linkRow(0, { label_en: "<b>The launcher</b>" }),
    };
    const id = await create({ server_name: "Linked", ...two });
    const url = "https://example.org/l";
    assert.deepEqual((await row(id))?.links, [
      { name: "launcher", label: { en: "<b>The launcher</b>", de: "Der Launcher" }, url },
      { name: "torrent", label: { en: "The launcher" }, url },
    ]);
    const edit = (await admin.get(`/admin/gameservers/${id}/edit`)).text;
    assert.match(edit, /name="links\.1\.name"[^>]*value="torrent"/, "the empty place between them is gone");
    assert.match(edit, /name="links\.2\.name"/, "without script there is one more to fill");
    await site.sql`update games set guide = ${JSON.stringify([
      {
        title: { en: "Get it" },
        text: { en: "Take {link:launcher} or {link:mirror}." },
        links: [{ label: { en: "Torrent here" }, url: "{link:torrent}" }],
      },
      { title: { en: "Play" }, links: [{ label: { en: "Register" }, url: "{link:registration}" }] },
    ])}::text::jsonb where game_slug = 'minecraft'`;
    const page = async (address: string) => (await site.browser().get(address)).text;
    await until("the guide", async () => (await page(`/servers/${id}`)).includes("Torrent here"));
    const text = await page(`/servers/${id}`);
    assert.match(text, /<a href="https:\/\/example\.org\/l" rel="noreferrer"><bdi>&lt;b&gt;The launcher/);
    assert.match(text, /<a href="https:\/\/example\.org\/l" rel="noreferrer">Torrent here/);
    assert.match(text, /<a [^>]*href="\/contact"[^>]*><bdi>\(this link is not here yet: ask us for it\)/);
    assert.match(text, /Register: this link is not here yet\.(?:<!-- -->| )+<a [^>]*href="\/contact"/);
    assert.match(
      await page(`/de/servers/${id}`),
      /Register: Diesen Link gibt es hier noch nicht\.(?:<!-- -->| )+<a [^>]*href="\/de\/contact"/,
    );
    const saved = await admin.post(`/admin/gameservers/${id}/edit`, {
      ...form({ server_name: "Linked", ...linkRow(0, { name: "mirror" }) }),
      revision: await revisionOf(id),
    });
    assert.equal(saved.status, 200);
    assert.deepEqual(
      (await row(id))?.links.map(({ name }: { name: string }) => name),
      ["mirror"],
    );
    assert.equal((await site.browser().get("/demo/launcher")).status, 404, "a real site has no page of the demo");
  });

  test("saved is visible on pages at once, hidden is nowhere", async () => {
    const id = await create({ server_name: "Seen <b>Blocks</b>" });
    await until("the page", async () => (await site.browser().get(`/servers/${id}`)).status === 200);
    await until("the dashboard", async () =>
      (await site.browser().get("/dashboard")).text.includes("Seen &lt;b&gt;Blocks"),
    );
    const answer = await admin.post(`/admin/gameservers/${id}/edit`, {
      ...form({ server_name: "Seen <b>Blocks</b>", visibility: "hidden" }),
      revision: await revisionOf(id),
    });
    assert.match(answer.text, /Game server updated successfully!/);
    await until("gone", async () => (await site.browser().get(`/servers/${id}`)).status === 404);
    for (const path of ["/dashboard", "/games/minecraft", "/", "/dashboard.data"])
      await until(path, async () => !(await site.browser().get(path)).text.includes("Seen"));
    assert.match((await admin.get("/admin/gameservers?q=sEEN")).text, /Hidden/);
  });

  test("two admins, a deleted row, and a race of twenty", async () => {
    const id = await create({ server_name: "Raced" });
    const revision = await revisionOf(id);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, number) =>
        admin.post(`/admin/gameservers/${id}/edit`, { ...form({ server_name: `Raced ${number}` }), revision }),
      ),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    const late = answers.find(({ status }) => status === 409);
    assert.match(String(late?.text), /Somebody else has saved this/);
    const events =
      await site.sql`select details from audit_events where what = 'gameserver-updated' and subject_id = ${String(id)}`;
    assert.equal(events.length, 1);
    assert.equal(events[0]?.details.before.server_name, "Raced");
    const both = await Promise.all(
      [1, 2].map(async () =>
        admin.post(`/admin/gameservers/${id}/delete`, { confirm: String((await row(id))?.server_name) }),
      ),
    );
    assert.equal(both.filter(({ status }) => status === 302).length, 1);
    const after = await admin.post(`/admin/gameservers/${id}/edit`, { ...form(), revision });
    assert.equal([404, 410].includes(after.status), true);
    assert.equal((await admin.post("/admin/gameservers/2147483648/edit", { ...form(), revision })).status, 404);
    assert.equal((await admin.post("/admin/gameservers/999999/delete", { confirm: "x" })).status, 410);
  });

  test("another address makes a pretend game server the operator's own; another name does not", async () => {
    const id = await create({ server_name: "Pretend" });
    await site.sql`update gameserver set demo = true where server_id = ${id}`;
    await admin.post(`/admin/gameservers/${id}/edit`, {
      ...form({ server_name: "Renamed" }),
      revision: await revisionOf(id),
    });
    assert.equal((await row(id))?.demo, true);
    await admin.post(`/admin/gameservers/${id}/edit`, {
      ...form({ server_name: "Renamed", host: "mc.example.org" }),
      revision: await revisionOf(id),
    });
    assert.equal((await row(id))?.demo, false);
  });

  test("options belong to their adapter, and a maintenance has its end", async () => {
    const tcp = await create({
      adapter: "tcp",
      expect: "prefix",
      expect_prefix: "0100FF",
      trust_record: "on",
      gamedig_type: "x",
    });
    assert.deepEqual((await row(tcp))?.adapter_options, { expect: { prefixHex: "0100ff" } });
    const a2s = await create({ adapter: "a2s", expect: "connect", trust_record: "on" });
    assert.deepEqual((await row(a2s))?.adapter_options, { trustRecord: true });
    const kept = await create({ lifecycle: "maintenance", maintenance_until: "2099-01-02T03:04" });
    assert.equal(Date.parse((await row(kept))?.maintenance_until), Date.UTC(2099, 0, 2, 3, 4));
    assert.match((await admin.get(`/admin/gameservers/${kept}/edit`)).text, /value="2099-01-02T03:04"/);
    const active = await create({ lifecycle: "active", maintenance_until: "2099-01-02T03:04" });
    assert.equal((await row(active))?.maintenance_until, null);
  });

  test("the heartbeat's token is told once, works, is worth nothing once it is renewed or removed", async () => {
    const id = await create({ adapter: "heartbeat", host: "", game_port: "" });
    const at = `/admin/gameservers/${id}/heartbeat`;
    const beat = async (token: string) =>
      (
        await fetch(`${site.base}/api/v1/heartbeat`, {
          method: "POST",
          headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
          body: '{"players":3}',
        })
      ).status;
    const tokenIn = (text: string) => /<code[^>]*>([\w-]{43})<\/code>/.exec(text)?.[1] ?? "";
    const made = await admin.post(at, { intent: "renew" });
    const first = tokenIn(made.text);
    assert.ok((await beat(first)) < 300);
    const offered = (text: string) =>
      [...text.matchAll(/spawnpoint-heartbeat install (\w+) http[^ ]+ /g)].map(([, one]) => one);
    assert.deepEqual(offered(made.text), ["other"], "none is made for this game");
    assert.match(made.text, new RegExp(`install other http[^ ]+ ${first} server-${id} PORT=…`));
    assert.doesNotMatch(made.text, /players.*:3/, "no line that reports whatever happens");
    await site.sql`update gameserver set game_id = (select game_id from games where catalogue_id = 'valheim') where server_id = ${id}`;
    const forValheim = (await admin.get(at)).text;
    assert.deepEqual(offered(forValheim), ["valheim"]);
    assert.match(
      forValheim,
      new RegExp(`install valheim .* server-${id} UNIT=valheim<`),
      "two on one machine stay apart",
    );
    const [own] = await site.sql`
      insert into games (game_name, game_acronym, game_slug, tagline, description)
      values ('Home made', 'HM', 'home-made', '{"en":""}', '{"en":""}') returning game_id`;
    await site.sql`update gameserver set game_id = ${own?.game_id} where server_id = ${id}`;
    const all = ["palworld", "valheim", "aion", "tera", "skyrim", "other"];
    assert.deepEqual(offered((await admin.get(at)).text), all, "nobody knows what it is");
    for (const [file, begins] of [
      ["spawnpoint-heartbeat.sh", "#!/bin/sh"],
      ["spawnpoint-heartbeat@.service", "# Reports"],
    ] as const) {
      const handed = await fetch(`${site.base}/heartbeat/${file}`);
      assert.equal(handed.status, 200, file);
      assert.ok((await handed.text()).startsWith(begins), file);
    }
    assert.equal(tokenIn((await admin.get(at)).text), "", "shown once");
    assert.notEqual((await row(id))?.heartbeat_token_hash, first);
    const second = tokenIn((await admin.post(at, { intent: "renew" })).text);
    assert.equal(await beat(first), 401);
    assert.ok((await beat(second)) < 300);
    await admin.post(at, { intent: "remove" });
    assert.equal(await beat(second), 401);
    assert.equal((await admin.post(at, { intent: "anything" })).status, 400);
    const events =
      await site.sql`select what, details from audit_events where what like 'gameserver-token-%' order by event_id`;
    assert.deepEqual(
      events.map(({ what }) => what),
      ["gameserver-token-made", "gameserver-token-made", "gameserver-token-removed"],
    );
    assert.ok(!JSON.stringify(events).includes(second));
  });

  test("what the doctor found and what is copied fills the form", async () => {
    const search = new URLSearchParams({
      adapter: "a2s",
      host: "play.example.org",
      game_port: "2456",
      query_port: "2457",
      server_name: "Found <script>",
      user_max: "10",
      game_name: "valheim",
      adapter_options: '{"trustRecord":true}',
    });
    const { text } = await admin.get(`/admin/gameservers/create?${search}`);
    assert.match(text, /value="2457"/);
    assert.match(text, /value="Found &lt;script/);
    assert.match(text, /<option value="\d+" selected="">Valheim/);
    assert.equal(
      (await admin.get("/admin/gameservers/create?adapter=a2s&host=x&adapter_options=%7Bbroken")).status,
      200,
    );
    // The join link of the game that was found, or asked for; what has one of its own keeps it.
    await site.sql`update games set join_link = 'steam://connect/{host}:{port}' where game_slug = 'valheim'`;
    const joinLink = async (path: string) =>
      /name="join_link"[^>]*? value="([^"]*)"/.exec((await admin.get(path)).text)?.[1];
    assert.equal(await joinLink(`/admin/gameservers/create?${search}`), "steam://connect/{host}:{port}");
    const [valheim] = await site.sql<{ game_id: number }[]>`select game_id from games where game_slug = 'valheim'`;
    assert.equal(await joinLink(`/admin/gameservers/create?game=${valheim?.game_id}`), "steam://connect/{host}:{port}");
    assert.equal(await joinLink("/admin/gameservers/create"), "");
    const id = await create({ server_name: "Original", join_link: "https://own.example/{host}" });
    assert.match(
      (await admin.get(`/admin/gameservers/${id}/edit`)).text,
      /<code>https:\/\/own\.example\/play\.example\.org</,
    );
    const copy = (await admin.get(`/admin/gameservers/create?copy=${id}`)).text;
    assert.match(copy, /value="Original \(copy\)"/);
    assert.match(copy, /<option value="hidden" selected="">/);
  });

  test("the order of a game's game servers, and no other game's", async () => {
    const ids = async () =>
      (
        await site.sql<{ server_id: number }[]>`
      select server_id from gameserver where game_id = ${game} order by sort_order, server_id`
      ).map((each) => each.server_id);
    const before = await ids();
    const post = async (list: number[], of = game) =>
      (
        await fetch(`${site.base}/admin/gameservers/order/${of}`, {
          method: "POST",
          headers: {
            "Sec-Fetch-Site": "same-origin",
            Cookie: [...admin.cookies].map((pair) => pair.join("=")).join("; "),
          },
          body: new URLSearchParams(list.map((id) => ["id", String(id)])),
        })
      ).status;
    const [foreign] = await site.sql<
      { server_id: number }[]
    >`select server_id from gameserver where game_id <> ${game} limit 1`;
    assert.equal(await post([...before.slice(1), foreign?.server_id ?? 0]), 409);
    assert.equal(await post(before, 999_999), 409);
    assert.equal(await post(before.toReversed()), 200);
    assert.deepEqual(await ids(), before.toReversed());
  });

  test("the list filters by game and by status, and sorts", async () => {
    const list = async (search: string) =>
      (await admin.get(`/admin/gameservers${search}`)).text.replace(/^[\s\S]*<tbody/, "");
    assert.doesNotMatch(await list(`?game=${game}`), /Valheim Vanilla/);
    assert.match(await list("?status=inactive"), /ARK/);
    assert.doesNotMatch(await list("?status=inactive"), /Valheim Vanilla/);
    assert.match(await list("?status=unknown"), /Valheim Vanilla/);
    assert.match(await list("?status=maintenance"), /Maintenance/);
    assert.equal((await admin.get("/admin/gameservers?status=';drop&game=x&sort=-user_max&page=7")).status, 200);
    const sorted = await list("?sort=-server_name");
    assert.ok(sorted.indexOf("Valheim Vanilla") < sorted.indexOf("Aion 1.9"));
  });
});
