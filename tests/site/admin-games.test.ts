/** What admins do to games, through the front door: refusals first. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { landscapeFor } from "#content/landscapes/landscapes.ts";
import { seedDemoContent } from "#demo/demo-content.ts";
import { isFreeSlug } from "#domain/games/fields.ts";
import { keepSamplesInBounds } from "#jobs/measurements/sample-partitions.ts";
import routes from "../../app/routes.ts";
import { type AccountSite, startAccountSite } from "../helpers/account-site.ts";
import type { Browser } from "../helpers/browser.ts";
import { until } from "../helpers/until.ts";

describe("games in the admin area", () => {
  let site: AccountSite;
  let admin: Browser;
  const visitor = () => site.browser();

  before(async () => {
    site = await startAccountSite();
    await seedDemoContent(site.database.db);
    await site.sql`update gameserver set visibility = 'public'`;
    admin = await newAdmin("admin@example.org");
  });
  after(() => site.stop());

  const newAdmin = async (email: string) => (await site.signedInAdmin(email)).at;
  const idOf = async (slug: string) => {
    const [row] = await site.sql<{ game_id: number }[]>`select game_id from games where game_slug = ${slug}`;
    assert.ok(row, slug);
    return row.game_id;
  };
  const revisionIn = (text: string) => /name="revision" value="(\d+)"/.exec(text)?.[1] ?? "";
  async function create(game_name: string, game_acronym = "X") {
    const answer = await admin.post("/admin/games/create", { game_name, game_acronym });
    const id = Number(/\/admin\/games\/(\d+)\/edit\?done=created$/.exec(answer.location ?? "")?.[1]);
    assert.ok(id, answer.text.slice(0, 300));
    return id;
  }
  const details = (id: number, more: Record<string, string> = {}) => ({
    game_name: `Game ${id}`,
    game_acronym: "VH",
    game_slug: `game-${id}`,
    tagline_en: "",
    tagline_de: "",
    description_en: "",
    description_de: "",
    published: "on",
    ...more,
  });
  const games = async () => (await site.sql`select count(*)::int as n from games`)[0]?.n;

  test("a game without a name, or with too long ones, is refused, and what was typed stays", async () => {
    const before = await games();
    for (const [game_name, game_acronym, expected] of [
      ["", "VH", "This must be filled in."],
      [" \u0000\u202e ", "VH", "This must be filled in."],
      ["x".repeat(81), "VH", "This is too long."],
      ["Valheim", "x".repeat(13), "This is too long."],
    ] as const) {
      const answer = await admin.post("/admin/games/create", { game_name, game_acronym });
      assert.equal(answer.status, 422);
      assert.ok(answer.text.includes("Error creating game!") && answer.text.includes(expected), expected);
      if (game_acronym.length > 12) assert.ok(answer.text.includes(`value="${game_acronym}"`));
    }
    assert.equal((await admin.post("/admin/games/create", { game_name: "x".repeat(70_000) })).status, 413);
    assert.equal(await games(), before);
  });

  test("what a form does not have is ignored: a new game is published, last, with an id of its own", async () => {
    const answer = await admin.post("/admin/games/create", {
      game_name: "Rust",
      game_acronym: "RU",
      game_id: "1",
      published: "",
      sort_order: "-5",
      game_slug: "../../etc",
      picture: "x",
      banner: '{"id":"x"}',
    });
    assert.equal(answer.status, 302);
    const [row] = await site.sql`select * from games where game_slug = 'rust'`;
    assert.equal(row?.published, true);
    assert.equal(row?.sort_order, 8);
    assert.equal(row?.picture, landscapeFor("Rust").name);
    assert.equal(row?.banner, null);
    const created = await admin.get(String(answer.location));
    assert.match(created.text, /Game created successfully!/);
    const [event] =
      await site.sql`select * from audit_events where what = 'game-created' and subject_id = ${String(row?.game_id)}`;
    assert.equal(event?.details.after.game_name, "Rust");
    assert.ok(event?.actor_id && event?.ip);
  });

  test("games are taken from the catalogue, each once; what is none is said, and others are taken all the same", async () => {
    const take = (...ids: string[]) =>
      admin.post(
        "/admin/games/create",
        ids.map((id) => ["catalogue_id", id]),
      );
    const taken = async (...ids: string[]) =>
      (await site.sql`select catalogue_id from games where catalogue_id = any(${ids}) order by sort_order`).map(
        ({ catalogue_id }) => catalogue_id,
      );
    const before = await games();
    for (const [ids, text] of [
      [[], "Tick at least one game."],
      [["no-such-game"], "The catalogue has no such game: no-such-game."],
      [["<script>", "__proto__"], "The catalogue has no such game: &lt;script&gt;, __proto__."],
    ] as const) {
      const answer = await take(...ids);
      assert.equal(answer.status, 422);
      assert.ok(answer.text.includes(`The games were not taken.`) && answer.text.includes(text), text);
    }
    assert.equal(await games(), before);
    const one = await take("terraria");
    assert.match(one.location ?? "", /\/admin\/games\/\d+\/edit\?done=created$/);
    const many = await take("cs2", "terraria", "cs2", "minecraft-bedrock");
    assert.equal(many.location, "/admin/games?done=taken");
    assert.ok((await admin.get(String(many.location))).text.includes("The games are on your site."));
    const some = await take("palworld", "nonsense");
    assert.equal(some.status, 422);
    assert.ok(some.text.includes("nonsense") && some.text.includes("The others are on your site now."));
    assert.deepEqual(await taken("cs2", "terraria", "minecraft-bedrock", "palworld"), [
      "terraria",
      "cs2",
      "minecraft-bedrock",
      "palworld",
    ]);
    const eight = await admin.post("/admin/games/create", { all_eight: "on" });
    assert.equal(eight.location, "/admin/games?done=taken");
    await until("the card", async () => (await visitor().get("/")).text.includes('href="/games/counter-strike-2"'));
    const page = (await visitor().get("/de/games/counter-strike-2")).text;
    assert.ok(page.includes("Counter-Strike 2 über Steam installieren"));
  });

  test("the catalogue is searched by the address where there is no script", async () => {
    const page = async (search: string) => (await admin.get(`/admin/games/create${search}`)).text;
    const boxes = (text: string) => [...text.matchAll(/name="catalogue_id" value="([^"]+)"/g)].map(([, id]) => id);
    assert.equal(boxes(await page("?q=teamspeek"))[0], "teamspeak");
    assert.deepEqual(boxes(await page("?q=qqqqqqqq")), []);
    assert.ok((await page("?q=qqqqqqqq")).includes("An unlisted game works as well"));
    assert.ok(boxes(await page("?all=1")).length > 380);
    assert.equal(boxes(await page("?q=%20%20")).length, boxes(await page("")).length);
  });

  test("it has its card, its menu entry and its page at once", async () => {
    await create("Factorio", "FA");
    await until("the card", async () => (await visitor().get("/")).text.includes('href="/games/factorio"'));
    assert.equal((await visitor().get("/games/factorio")).status, 200);
    assert.equal((await visitor().get("/de/games/factorio")).status, 200);
  });

  test("a game of your own comes before the catalogue; a game's form begins with its ID, to be read alone", async () => {
    const { text: create } = await admin.get("/admin/games/create");
    const [own, catalogue] = [create.indexOf('id="own"'), create.indexOf('id="catalogue"')];
    assert.ok(own > 0 && own < catalogue, `own form at ${own}, catalogue at ${catalogue}`);
    const [game] = await site.sql<{ game_id: number }[]>`select min(game_id) as game_id from games`;
    const { text: edit } = await admin.get(`/admin/games/${game?.game_id}/edit`);
    const main = edit.slice(edit.indexOf("<main"));
    const names = [...main.matchAll(/<input (?=[^>]*name="(game_\w+)")[^>]*>/g)].map(([tag, name]) => ({ tag, name }));
    assert.deepEqual(
      names.slice(0, 3).map(({ name }) => name),
      ["game_id", "game_name", "game_acronym"],
    );
    assert.match(names[0]?.tag ?? "", / disabled=""/);
    assert.ok(main.indexOf('name="game_id"') < main.indexOf("<details"), "it is in no fold");
  });

  test("addresses come from names, are unique, and never hide a route", async () => {
    const slugs = async (id: number) =>
      (await site.sql`select game_slug from games where game_id = ${id}`)[0]?.game_slug;
    assert.equal(await slugs(await create("Valheim!")), "valheim-2");
    assert.equal(await slugs(await create("Skyrim'Together")), "skyrimtogether-game");
    assert.equal(await slugs(await create("Straße der Größe: Ñandú!")), "strasse-der-grosse-nandu");
    assert.equal(await slugs(await create("終末")), "game");
    assert.equal(await slugs(await create("世界")), "game-2");
    const both = await Promise.all([create("Twin"), create("Twin?")]);
    assert.deepEqual((await Promise.all(both.map(slugs))).sort(), ["twin", "twin-2"]);

    const id = await create("Slugs");
    const { text } = await admin.get(`/admin/games/${id}/edit`);
    for (const [game_slug, expected] of [
      ["valheim", "Another game has this address."],
      ["skyrimtogether", "used by the site itself"],
      ["../admin", "Only small letters"],
      ["Upper", "Only small letters"],
      ["a--b", "Only small letters"],
      ["x.data", "Only small letters"],
      ["", "This must be filled in."],
    ] as const) {
      const answer = await admin.post(`/admin/games/${id}/edit`, {
        ...details(id, { game_slug }),
        revision: revisionIn(text),
      });
      assert.equal(answer.status, 422, game_slug);
      assert.ok(answer.text.includes("Error updating game!") && answer.text.includes(expected), game_slug);
      assert.match(answer.text, /The page is at \/games\/slugs\./, "an address that was refused is not its page's");
    }
    // Every address of the map that stands beside the games' pages is one that no game can have.
    const under = JSON.stringify(await routes).matchAll(/"path":"games\/([^":]+)"/g);
    for (const [, slug = ""] of under) assert.equal(isFreeSlug(slug), false, slug);
  });

  test("a name that another game has is refused, naming that one; an acronym is not", async () => {
    const before = await games();
    for (const game_name of ["Valheim", " VALHEIM ", "Val heim", "Ｖalheim"]) {
      const answer = await admin.post("/admin/games/create", { game_name, game_acronym: "VH" });
      assert.equal(answer.status, 422, game_name);
      assert.match(answer.text, /There is a game of this name already: Valheim, at \/games\/valheim\./, game_name);
      assert.ok(answer.text.includes("Error creating game!"), game_name);
    }
    const german = await admin.post("/de/admin/games/create", { game_name: "valheim", game_acronym: "VH" });
    assert.match(german.text, /Ein Spiel dieses Namens gibt es schon: Valheim, unter \/de\/games\/valheim\./);
    const twins = await Promise.all(
      ["Same Name", "same  name"].map((game_name) =>
        admin.post("/admin/games/create", { game_name, game_acronym: "SN" }),
      ),
    );
    assert.deepEqual(twins.map(({ status }) => status).sort(), [302, 422]);
    assert.equal(await games(), before + 1);

    const id = await create("Own Name", "VH");
    const save = async (game_name: string) => {
      const revision = revisionIn((await admin.get(`/admin/games/${id}/edit`)).text);
      return admin.post(`/admin/games/${id}/edit`, { ...details(id, { game_name }), revision });
    };
    const taken = await save("valheim");
    assert.equal(taken.status, 422);
    assert.match(taken.text, /Error updating game!.*There is a game of this name already: Valheim/s);
    assert.equal((await save("OWN NAME")).status, 200);
    await site.sql`delete from games where game_id = ${id}`;
  });

  test("two admins: the second save is refused with the difference, and nothing is overwritten", async () => {
    const id = await create("Conflict");
    const other = await newAdmin("other@example.org");
    const revision = revisionIn((await admin.get(`/admin/games/${id}/edit`)).text);
    const first = await other.post(`/admin/games/${id}/edit`, { ...details(id, { game_name: "Theirs" }), revision });
    assert.match(first.text, /Game updated successfully!/);
    const mine = details(id, { game_name: "Mine <script>alert(1)</script>" });
    const second = await admin.post(`/admin/games/${id}/edit`, { ...mine, revision });
    assert.equal(second.status, 409);
    assert.match(second.text, /Somebody else has saved this/);
    assert.match(second.text, /<td[^>]*>Theirs<\/td>/);
    assert.doesNotMatch(second.text, /<script>alert/);
    assert.match(second.text, /value="Mine &lt;script/);
    assert.equal((await site.sql`select game_name from games where game_id = ${id}`)[0]?.game_name, "Theirs");
    const again = await admin.post(`/admin/games/${id}/edit`, { ...mine, revision: revisionIn(second.text) });
    assert.equal(again.status, 200);
    const events = await site.sql`
      select details from audit_events where what = 'game-updated' and subject_id = ${String(id)} order by event_id`;
    assert.equal(events.length, 2);
    assert.equal(events[1]?.details.before.game_name, "Theirs");
    assert.equal(events[1]?.details.after.game_slug, undefined, "only what changed");
    const page = await visitor().get(`/games/game-${id}`);
    assert.doesNotMatch(page.text, /<script>alert/);

    await site.sql`delete from games where game_id = ${id}`;
    const late = await admin.post(`/admin/games/${id}/edit`, { ...mine, revision: revisionIn(second.text) });
    assert.ok([404, 410].includes(late.status), String(late.status));
  });

  test("twenty saves of one revision at once: one is kept", async () => {
    const id = await create("Race");
    const revision = revisionIn((await admin.get(`/admin/games/${id}/edit`)).text);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, number) =>
        admin.post(`/admin/games/${id}/edit`, { ...details(id, { game_name: `Race ${number}` }), revision }),
      ),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assert.equal(answers.filter(({ status }) => status === 409).length, 19);
  });

  test("a game that is not published is nowhere to be seen", async () => {
    const id = await create("Secret Game");
    const revision = revisionIn((await admin.get(`/admin/games/${id}/edit`)).text);
    const { published: _, ...hidden } = details(id, { game_name: "Secret Game", game_slug: "secret-game" });
    assert.equal((await admin.post(`/admin/games/${id}/edit`, { ...hidden, revision })).status, 200);
    await until("gone", async () => (await visitor().get("/games/secret-game")).status === 404);
    await until("no card", async () => !(await visitor().get("/")).text.includes("Secret Game"));
  });

  test("the order: moves without script, refuses lists that are not the games", async () => {
    const order = async () =>
      (await site.sql`select game_id from games order by sort_order, game_id`).map((row) => row.game_id);
    const before = await order();
    const post = (ids: number[], move?: string) =>
      fetch(`${site.base}/admin/games/order`, {
        method: "POST",
        headers: {
          "Sec-Fetch-Site": "same-origin",
          Cookie: [...admin.cookies].map((pair) => pair.join("=")).join("; "),
        },
        body: new URLSearchParams([...ids.map((id) => ["id", String(id)]), ...(move ? [["move", move]] : [])]),
      });
    assert.equal((await post(before.slice(1))).status, 409);
    assert.equal((await post([...before.slice(1), 999_999])).status, 409);
    assert.equal((await post([...before, before[0]])).status, 422);
    assert.deepEqual(await order(), before);
    assert.equal((await post(before, `down:${before[0]}`)).status, 200);
    const [first, second, ...rest] = before;
    assert.deepEqual(await order(), [second, first, ...rest]);
  });

  test("the list: search without regard to case, signs that mean themselves, sorting, pages, and counted game servers", async () => {
    const list = async (search: string) => (await admin.get(`/admin/games${search}`)).text;
    assert.match(await list("?q=VALH"), /Valheim/);
    assert.doesNotMatch(await list("?q=valh"), />Minecraft<\/span>/);
    assert.match(await list("?q=%25"), /Nothing matches/);
    assert.match(await list("?q=_"), /Nothing matches/);
    assert.match(await list(`?q=${encodeURIComponent("' or 1=1 --")}`), /Nothing matches/);
    assert.equal((await admin.get("/admin/games?q=%00&page=-1&sort=password")).status, 200);
    assert.equal((await admin.get("/admin/games?page=999999999999&sort=-game_name")).status, 200);
    const sorted = (await list("?sort=-game_name")).replace(/^[\s\S]*<tbody/, "");
    assert.ok(sorted.indexOf(">Valheim<") < sorted.indexOf(">Aion<"));
    const [row] =
      await site.sql`select count(*)::int as n from gameserver join games using (game_id) where game_slug = 'valheim'`;
    assert.match(await list("?q=valheim"), new RegExp(`gameservers\\?game=\\d+"[^>]*>${row?.n}<`));
  });

  test("deleting: what hangs on it is named, the name must be typed, of two at once one deletes", async () => {
    const id = await idOf("valheim");
    await keepSamplesInBounds(site.sql, false);
    await site.sql`insert into gameserver_sample (server_id, asked_at, status, latency_ms)
      select server_id, now(), 'online', 5 from gameserver where game_id = ${id}`;
    const page = await admin.get(`/admin/games/${id}/delete`);
    assert.match(page.text, /Valheim Vanilla/);
    const wrong = await admin.post(`/admin/games/${id}/delete`, { confirm: "valheim" });
    assert.equal(wrong.status, 422);
    assert.match(wrong.text, /What you typed does not match/);
    const [server] = await site.sql`select server_id from gameserver where game_id = ${id} limit 1`;
    assert.equal((await visitor().get(`/servers/${server?.server_id}`)).status, 200);
    const both = await Promise.all([1, 2].map(() => admin.post(`/admin/games/${id}/delete`, { confirm: "Valheim" })));
    assert.equal(both.filter(({ status }) => status === 302).length, 1);
    assert.ok(
      both.every(({ status }) => [302, 404, 410].includes(status)),
      both.map(({ status }) => status).join(),
    );
    const [left] = await site.sql`select (select count(*) from gameserver where game_id = ${id})::int
      + (select count(*) from gameserver_sample where server_id = ${server?.server_id})::int as n`;
    assert.equal(left?.n, 0);
    await until("gone", async () => (await visitor().get(`/servers/${server?.server_id}`)).status === 404);
    const events = await site.sql`select details from audit_events where what = 'game-removed'`;
    assert.equal(events.length, 1);
    assert.ok(events[0]?.details.before.servers.includes("Valheim Vanilla"));
  });
});
