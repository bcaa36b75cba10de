import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { getTableColumns } from "drizzle-orm";
import { gameserver } from "#db/schema/index.ts";
import { GAME_SERVER_ON_PAGES, gameServerColumnsOf, newGameServerFields } from "#domain/game-servers/fields.ts";
import type { GameServer } from "#domain/game-servers/game-servers.ts";
import { GUIDE_PLACEHOLDERS, hasKnownPlaceholders } from "#domain/games/guide.ts";
import { fillText } from "../../../ui/guide/fill-guide.ts";
import { guideValues, shownStatus } from "./known-values.ts";
import { showServer } from "./shown-server.ts";

const stored: GameServer = {
  server_id: 7,
  game_slug: "valheim",
  game_name: "Valheim",
  ...gameServerColumnsOf(
    newGameServerFields.parse({
      game_id: 3,
      server_name: "Valheim Vanilla",
      user_max: 10,
      visibility: "public",
      server_locations: ["Germany"],
      host: "play.example.org",
      game_port: 2456,
      adapter: "a2s",
      version: "0.219",
      flavour: "Vanilla",
      join_link: "steam://run/892970//+connect%20{host}:{port}",
      links: [{ name: "launcher", label_en: "The launcher", label_de: "Der Launcher", url: "https://example.org/l" }],
      description_en: "As it was meant.",
      description_de: "Wie es gedacht war.",
    }),
  ),
};

describe("what leaves of a game server", () => {
  it("is what pages may show, and the ways in: every other column stays behind", () => {
    const onPages: readonly string[] = GAME_SERVER_ON_PAGES;
    const others = Object.keys(getTableColumns(gameserver)).filter((name) => !onPages.includes(name));
    for (const secret of ["heartbeat_token_hash", "query_port", "adapter_options"]) assert.ok(others.includes(secret));
    const row = { ...stored, ...Object.fromEntries(others.map((name) => [name, `hidden ${name}`])) };
    const shown = showServer(row);
    assert.doesNotMatch(JSON.stringify(shown), /hidden/);
    // What says how the page is made is no part of it.
    const fields = onPages.filter((name) => !["join_link", "show_details", "player_list"].includes(name));
    assert.deepEqual(Object.keys(shown).sort(), [...fields, "address", "announced", "join_href"].sort());
  });

  it("has no address and no join link for an inactive one, one in maintenance, and none that was not announced", () => {
    for (const server of [
      { ...stored, lifecycle: "retired" } satisfies GameServer,
      { ...stored, lifecycle: "maintenance" } satisfies GameServer,
      { ...stored, host: null },
    ]) {
      const shown = showServer(server);
      assert.deepEqual([shown.host, shown.address, shown.join_href], [null, null, null]);
      assert.equal(guideValues(shown, undefined, []).port, null);
    }
  });

  it("is the address as players type it, and the link filled in", () => {
    const shown = showServer(stored);
    assert.equal(shown.address, "play.example.org:2456");
    assert.equal(shown.join_href, "steam://run/892970//+connect%20play.example.org:2456");
    assert.equal(shown.description, "As it was meant.");
  });
});

describe("before the first measurement", () => {
  it("nobody claims that it is online", () => {
    assert.equal(shownStatus(showServer(stored), undefined), "unknown");
    assert.equal(shownStatus(showServer({ ...stored, lifecycle: "maintenance" }), undefined), "maintenance");
    assert.equal(shownStatus(showServer({ ...stored, lifecycle: "retired" }), undefined), "inactive");
  });

  it("a guide takes version and maximum from the record", () => {
    const values = guideValues(showServer(stored), undefined, []);
    assert.equal(values.version, "0.219");
    assert.equal(values.max, 10);
  });

  it("a guide without any game server knows nothing", () => {
    assert.deepEqual(Object.values(guideValues(undefined, undefined, [])), [null, null, null, null, "", null, [], []]);
  });
});

describe("what fills a guide", () => {
  const filled = (template: string) =>
    fillText(template, guideValues(showServer(stored), undefined, [2456]))
      .map(({ text }) => text)
      .join("");

  it("knows the placeholders that a guide may be saved with, and no others", () => {
    for (const name of GUIDE_PLACEHOLDERS) {
      const template = name === "link:name" ? "{link:launcher}" : `{${name}}`;
      assert.ok(hasKnownPlaceholders(template));
      assert.notEqual(filled(template), template);
    }
    for (const unknown of [
      "{adress}",
      "{}",
      "{download}",
      "{link:}",
      "{link:No}",
      "{ port }",
      "{link}",
      "{__proto__}",
    ]) {
      assert.equal(hasKnownPlaceholders(`Press ${unknown} now`), false, unknown);
      assert.equal(filled(unknown), unknown);
    }
  });
});
