/** The catalogue's data hold what everybody builds on, its search finds what people type, and taking games is safe to repeat. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, beforeEach, describe, test } from "node:test";
import { CATALOGUE } from "#content/catalogue/catalogue.ts";
import type { CatalogueGame } from "#content/catalogue/catalogue-game.ts";
import { guideOf } from "#content/catalogue/guides.ts";
import { FIRST_GAMES } from "#content/first-games.ts";
import { FIRST_GAME_SERVERS } from "#demo/first-game-servers.ts";
import { findGameType, listGameTypes } from "#outside/game-types.ts";
import { joinHref } from "#shared/join-href.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { errorsOfOptions } from "../game-servers/adapter-options.ts";
import { joinLink } from "../join-link.ts";
import { findCatalogueGame, findCatalogueGameOfType, searchCatalogue, takeCatalogueGames } from "./catalogue.ts";
import { createGame, removeGame } from "./edits.ts";
import { newGameFields } from "./fields.ts";
import { guideFormOf, guideShape } from "./guide.ts";

/** Those that are known to listen elsewhere than the allow-list has it; content/catalogue says why. */
const OTHER_PORTS = new Set(["vrising", "unturned", "naturalselection2", "arksurvivalevolved"]);
/** What people type who mean a kind of game, or the game below several modifications. */
const EITHER = new Set([
  ...["racing", "dinosaurs", "voice", "voip", "voxel", "truck simulator", "convoy", "007", "tom clancy", "flashpoint"],
  ...["pirates", "gta 5", "gta v", "gta sa", "gta san andreas", "gta vice city", "mta", "cfx", "elder scrolls"],
  "landwirtschafts simulator",
]);

describe("the data", () => {
  test("each game has an id of its own, a short name that fits, and ports that there are", () => {
    assert.equal(new Set(CATALOGUE.map(({ id }) => id)).size, CATALOGUE.length);
    assert.equal(new Set(CATALOGUE.map(({ name }) => name.toLowerCase())).size, CATALOGUE.length);
    for (const game of CATALOGUE) {
      assert.match(game.id, /^[a-z0-9]+(?:-[a-z0-9]+)*$/);
      const fields = { game_name: game.name, game_acronym: game.acronym };
      assert.deepEqual(newGameFields.parse(fields), fields, game.id);
      for (const port of [game.gamePort, game.queryPort])
        assert.ok(port === null || (Number.isInteger(port) && port > 0 && port <= 65_535), game.id);
      assert.notEqual(game.queryPort ?? 0, game.gamePort, `${game.id} is asked at a port of its own, or at none`);
      assert.ok(game.steamAppId === null || Number.isInteger(game.steamAppId), game.id);
    }
  });

  test("each type of the allow-list is one game, asked as the list says, at its ports", () => {
    const types = CATALOGUE.flatMap(({ gameType }) => gameType ?? []);
    assert.deepEqual(
      types.toSorted(),
      listGameTypes()
        .map(({ type }) => type)
        .toSorted(),
    );
    for (const game of CATALOGUE) {
      const known = findGameType(game.gameType ?? "");
      if (!known) continue;
      assert.equal(game.adapter, known.asked, game.id);
      if (known.asked === "gamedig") assert.equal(game.adapterOptions.gamedigType, game.gameType, game.id);
      if (OTHER_PORTS.has(game.id)) continue;
      const asked = [game.gamePort, game.queryPort ?? game.gamePort];
      assert.deepEqual(asked, [known.port ?? known.query_port, known.query_port], game.id);
    }
  });

  test("two games share a nickname or an app id only where people mean either", () => {
    const owners = (names: (game: CatalogueGame) => readonly (string | number)[]) =>
      Map.groupBy(
        CATALOGUE.flatMap((game) => names(game).map((name) => ({ name, id: game.id }))),
        ({ name }) => name,
      );
    for (const [alias, games] of owners(({ aliases }) => aliases)) {
      assert.equal(String(alias).toLowerCase().trim(), alias);
      assert.ok(games.length === 1 || EITHER.has(String(alias)), `${alias}: ${games.map(({ id }) => id)}`);
    }
    const shared = [...owners(({ steamAppId }) => (steamAppId === null ? [] : [steamAppId]))].filter(
      ([, games]) => games.length > 1,
    );
    // Counter-Strike 2 took the place of Global Offensive, modifications start Half-Life, and The Isle has two branches.
    assert.deepEqual(shared.map(([id]) => id).toSorted(), [376210, 70, 730]);
  });

  test("what asks it knows its options, and its join link can be filled", () => {
    for (const game of CATALOGUE) {
      assert.deepEqual(errorsOfOptions(game.adapter, game.adapterOptions), [], game.id);
      if (game.gameType !== null) assert.ok(findGameType(game.gameType), game.id);
      if (game.joinLink === null) continue;
      assert.equal(joinLink.parse(game.joinLink), game.joinLink);
      for (const host of ["play.example.org", "203.0.113.5", "2001:db8::1"])
        assert.ok(
          joinHref(game.joinLink, { host, port: 1234, name: "A name", password: null })?.includes("1234"),
          game.id,
        );
    }
  });

  test("games are queried at the ports of their makers' documents, and found by their names", () => {
    for (const [id, adapter, gamePort, queryPort] of [
      ["spaceengineers", "a2s", 27016, null],
      ["insurgencysandstorm", "a2s", 27102, 27131],
      ["abioticfactor", "a2s", 7777, 27015],
      ["icarus", "a2s", 17777, 27015],
      ["theisleevrima", "heartbeat", 7777, null],
      ["arksurvivalascended", "heartbeat", 7777, null],
      ["squad", "heartbeat", 7787, null],
      ["windrose", "heartbeat", 7777, null],
      ["longvinter", "heartbeat", 7777, null],
      ["returntomoria", "heartbeat", 7777, null],
      ["aska", "a2s", 27015, 27016],
      ["nightofthedead", "a2s", 27015, 27016],
      ["noonesurvived", "a2s", 5761, 27015],
      ["altv", "tcp", 7788, null],
      ["bzflag", "tcp", 5154, null],
      ["warzone2100", "tcp", 2100, null],
    ] as const) {
      const game = findCatalogueGame(id);
      assert.deepEqual([game?.adapter, game?.gamePort, game?.queryPort], [adapter, gamePort, queryPort], id);
      assert.equal(searchCatalogue(game?.name ?? "", { limit: 1 })[0]?.id, id);
    }
  });

  test("links of clients have the form that each client takes", () => {
    for (const [id, href] of [
      ["fivem", "fivem://connect/play.example.org:1234"],
      ["redm", "redm://connect/play.example.org:1234"],
      ["gtasamta", "mtasa://play.example.org:1234"],
      ["gtasam", "samp://play.example.org:1234"],
      ["gtasao", "samp://play.example.org:1234"],
      ["vintagestory", "vintagestoryjoin://play.example.org:1234"],
      ["spacestation14", "ss14://play.example.org:1234"],
      ["spacestation13", "byond://play.example.org:1234"],
      ["altv", "altv://connect/play.example.org:1234"],
    ] as const) {
      const facts = { host: "play.example.org", port: 1234, name: "A name", password: null };
      assert.equal(joinHref(findCatalogueGame(id)?.joinLink ?? null, facts), href);
    }
    const altv = findCatalogueGame("altv")?.joinLink ?? null;
    assert.equal(
      joinHref(altv, { host: "play.example.org", port: 1234, name: "A name", password: "a b" }),
      "altv://connect/play.example.org:1234?password=a%20b",
    );
  });

  test("the guide of each is one that an admin could have saved, in both languages", () => {
    for (const game of CATALOGUE) {
      const form = guideFormOf({ guide: guideOf(game), guide_boxes: [] });
      assert.deepEqual(guideShape.parse(form), form, game.id);
      assert.ok(
        form.steps.every((step) => step.title_de !== "" && step.text_de !== ""),
        game.id,
      );
    }
  });

  test("the eight that ship with full texts come first, asked as their first game servers are", () => {
    const eight = CATALOGUE.filter(({ first }) => first);
    assert.deepEqual(eight, CATALOGUE.slice(0, 8));
    for (const [place, game] of FIRST_GAMES.entries()) {
      const known = eight[place];
      assert.deepEqual([known?.id, known?.name, known?.acronym], [game.game_slug, game.game_name, game.game_acronym]);
      const server = FIRST_GAME_SERVERS.find(({ game_slug }) => game_slug === game.game_slug);
      assert.deepEqual(
        [known?.adapter, known?.adapterOptions, known?.joinLink],
        [server?.adapter, server?.adapter_options ?? {}, server?.join_link ?? null],
        game.game_slug,
      );
    }
  });
});

describe("searching", () => {
  const found = (query: string, limit = 5) => searchCatalogue(query, { limit }).map(({ id }) => id);

  test("without a query the eight come first, and no more than asked for", () => {
    assert.deepEqual(
      found("", 8),
      FIRST_GAMES.map((game) => game.game_slug),
    );
    assert.deepEqual(found("  ", 2), ["aion", "valheim"]);
  });

  test("names, their beginnings, short names and what people call them, whatever the case, signs and accents", () => {
    for (const [query, id] of [
      ["Valheim", "valheim"],
      ["valh", "valheim"],
      ["PZ", "projectzomboid"],
      ["zomboid", "projectzomboid"],
      ["projectzomboid", "projectzomboid"],
      ["ark survival", "arksurvivalevolved"],
      ["ARK: Survival-Evolved", "arksurvivalevolved"],
      ["mc java", "minecraft"],
      ["Mínecräft", "minecraft"],
      ["together skyrim", "skyrimtogheter"],
      ["cs", "cs2"],
      ["counter-strike", "cs2"],
      ["csgo", "csgo"],
      ["gmod", "garrysmod"],
      ["terr", "terraria"],
      ["mc bedrock", "minecraft-bedrock"],
      ["bedrock", "minecraft-bedrock"],
      ["7 days", "sdtd"],
      ["tf2", "teamfortress2"],
      ["samp", "gtasam"],
      ["teamspeak", "teamspeak"],
      ["ut2004", "unrealtournament2004"],
      ["palwrold", "palworld"],
    ] as const)
      assert.equal(found(query)[0], id, query);
  });

  test("a typo of one letter is forgiven, in long words alone", () => {
    for (const query of ["valhiem", "vallheim", "vaheim", "valjeim", "Valhei"])
      assert.equal(found(query)[0], "valheim", query);
    assert.deepEqual(found("vxh"), []);
  });

  test("nonsense finds nothing, and a hostile query costs nothing", () => {
    for (const query of ["qqqqqqqq", "\u0000\u202e%_'\"", "🦖🦖🦖"]) assert.ok(found(query).length <= 5);
    assert.deepEqual(found("zzzzyyyy"), []);
    const before = process.cpuUsage();
    searchCatalogue("a ".repeat(100_000), { limit: 10 });
    searchCatalogue("a".repeat(1_000_000), { limit: 10 });
    assert.ok(process.cpuUsage(before).user < 10_000_000, "no more than its length");
  });

  test("a game is found by its id and by how it is asked", () => {
    assert.equal(findCatalogueGame("valheim")?.name, "Valheim");
    assert.equal(findCatalogueGame("__proto__"), null);
    assert.equal(findCatalogueGameOfType("ase")?.id, "arksurvivalevolved");
    assert.equal(findCatalogueGameOfType("nothing"), null);
  });
});

describe("taking games", () => {
  let database: TestDatabase;
  const actor = { user_id: randomUUID(), origin: { ip: "192.0.2.1", user_agent: "test" } };
  before(async () => {
    database = await createTestDatabase();
  });
  beforeEach(() => database.sql`delete from games`);
  after(() => database.drop());
  const take = (...ids: string[]) => takeCatalogueGames(database.db, actor, ids);
  const rows = () => database.sql`select * from games order by sort_order`;
  const audits = async () =>
    (await database.sql`select what from audit_events where actor_id = ${actor.user_id}`).length;

  test("the eight come with their texts and pictures, in the order asked for, published; again changes nothing", async () => {
    const before = await audits();
    const eight = FIRST_GAMES.map((game) => game.game_slug);
    const first = await take(...eight, "valheim", "unheard-of");
    assert.deepEqual(
      first.taken.map(({ catalogue_id, is_new }) => [catalogue_id, is_new]),
      eight.map((id) => [id, true]),
    );
    assert.equal(first.refused.length, 1);
    const made = await rows();
    assert.deepEqual(
      made.map(({ game_slug }) => game_slug),
      eight,
    );
    for (const [place, game] of FIRST_GAMES.entries()) {
      const { game_name, tagline, guide, picture, published, catalogue_id } = made[place] ?? {};
      assert.deepEqual(
        [game_name, tagline, guide, picture, published, catalogue_id],
        [game.game_name, game.tagline, game.guide, game.picture, true, game.game_slug],
      );
    }
    assert.equal(await audits(), before + 8);
    const again = await take(...eight);
    assert.deepEqual(
      again.taken,
      first.taken.map((one) => ({ ...one, is_new: false })),
    );
    assert.deepEqual(await rows(), made);
    assert.equal(await audits(), before + 8);
  });

  test("a game written by hand under its name becomes it and keeps what it says", async () => {
    const own = await createGame(database.db, actor, { game_name: "valheim", game_acronym: "VAL" });
    assert.ok(own.ok);
    assert.deepEqual((await take("valheim")).taken, [
      { catalogue_id: "valheim", game_id: own.game_id, game_slug: "valheim", is_new: false },
    ]);
    const [row] = await rows();
    assert.deepEqual([row?.game_name, row?.game_acronym, row?.catalogue_id], ["valheim", "VAL", "valheim"]);
    assert.ok(row?.join_link);
  });

  test("a name that another game of the catalogue bears is refused, and the others are taken", async () => {
    await take("valheim");
    await database.sql`update games set game_name = 'Aion' where catalogue_id = 'valheim'`;
    const { taken, refused } = await take("aion", "tera");
    assert.deepEqual(
      taken.map(({ catalogue_id }) => catalogue_id),
      ["tera"],
    );
    assert.deepEqual(refused, [
      { catalogue_id: "aion", reason: "name_taken", by: { game_name: "Aion", game_slug: "valheim" } },
    ]);
  });

  test("an address that is taken gets a number, and a game that was deleted may be taken again", async () => {
    await database.sql`insert into games (game_name, game_acronym, game_slug, tagline, description)
      values ('Something else', 'S', 'tera', '{"en":""}', '{"en":""}')`;
    const { taken } = await take("tera");
    assert.equal(taken[0]?.game_slug, "tera-2");
    assert.ok((await removeGame(database.db, actor, taken[0]?.game_id ?? 0, "Tera")).ok);
    assert.equal((await take("tera")).taken[0]?.is_new, true);
  });
});
