import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { LocalText } from "#db/schema/games.ts";
import { guideShape, hasKnownPlaceholders } from "#domain/games/guide.ts";
import { FIRST_GAMES } from "./first-content.ts";

/** Every text of a game: in its row, its guide, its boxes and its game servers. */
function textsOf({ game, servers }: (typeof FIRST_GAMES)[number]): LocalText[] {
  const guide = (game.guide ?? []).flatMap((step) => [
    step.title,
    step.text,
    ...(step.links ?? []).map((link) => link.label),
  ]);
  const boxes = (game.guide_boxes ?? []).flatMap((box) => [
    box.title,
    box.text,
    ...(box.links ?? []).map((link) => link.label),
  ]);
  const all = [game.tagline, game.description, ...guide, ...boxes, ...servers.map((server) => server.description)];
  return all.filter((text) => text !== undefined && text !== null);
}

function placeholdersIn(text: string): string[] {
  return [...text.matchAll(/\{([^}]*)\}/g)].map((match) => match[1] ?? "");
}

describe("the first content", () => {
  it("has the eight games under their addresses, in the order of the home page", () => {
    assert.deepEqual(
      FIRST_GAMES.map(({ game }) => [game.game_slug, game.game_name]),
      [
        ["aion", "Aion"],
        ["valheim", "Valheim"],
        ["minecraft", "Minecraft"],
        ["projectzomboid", "Project Zomboid"],
        ["thefront", "The Front"],
        ["arksurvivalevolved", "Ark: Survival Evolved"],
        ["skyrimtogheter", "Skyrim Together"],
        ["tera", "Tera"],
      ],
    );
    for (const { game } of FIRST_GAMES) assert.equal(game.picture, game.game_slug);
  });

  it("keeps the ports of the specification", () => {
    const ports = (slug: string) =>
      FIRST_GAMES.find(({ game }) => game.game_slug === slug)?.servers.map((server) => server.game_port);
    assert.equal(ports("valheim")?.[0], 2456);
    assert.deepEqual(ports("projectzomboid"), [16261]);
    assert.deepEqual(ports("minecraft"), [25567]);
    assert.deepEqual(ports("skyrimtogheter"), [10578, 10579]);
  });

  for (const first of FIRST_GAMES) {
    describe(first.game.game_name, () => {
      it("says everything in English and in German", () => {
        for (const text of textsOf(first)) {
          assert.ok(text.en.trim(), JSON.stringify(text));
          assert.ok(text.de?.trim(), `no German for "${text.en}"`);
        }
      });

      it("uses only placeholders that can be filled, the same in both languages", () => {
        for (const text of textsOf(first)) {
          const used = placeholdersIn(text.en);
          assert.ok(hasKnownPlaceholders(text.en), text.en);
          assert.deepEqual(placeholdersIn(text.de ?? "").sort(), used.sort());
        }
      });

      it("types no port into a step: it comes from the record", () => {
        const ports = new Set(
          FIRST_GAMES.flatMap(({ servers }) => servers.flatMap((one) => [one.game_port, one.query_port])),
        );
        for (const text of textsOf(first))
          for (const written of [text.en, text.de ?? ""])
            for (const [number] of written.matchAll(/\d{4,5}/g)) assert.ok(!ports.has(Number(number)), written);
      });

      it("would be taken by the form that saves a guide", () => {
        const form = (items: NonNullable<typeof first.game.guide>) =>
          items.map(({ title, text, links = [] }) => ({
            title_en: title.en,
            title_de: title.de ?? "",
            text_en: text?.en ?? "",
            text_de: text?.de ?? "",
            links: links.map(({ label, url }) => ({ url, label_en: label.en, label_de: label.de ?? "" })),
          }));
        const { guide = [], guide_boxes = [] } = first.game;
        assert.equal(guideShape.safeParse({ steps: form(guide), boxes: form(guide_boxes) }).success, true);
      });

      it("leads nowhere but to https addresses or links of the record", () => {
        const steps = (first.game.guide ?? []).flatMap((step) => step.links ?? []);
        const boxes = (first.game.guide_boxes ?? []).flatMap((box) => box.links ?? []);
        for (const { url } of [...steps, ...boxes]) {
          assert.ok(/^\{link:[a-z]+\}$/.test(url) || new URL(url).protocol === "https:", url);
        }
      });

      it("has a guide of four to seven steps and at least one game server", () => {
        const steps = first.game.guide?.length ?? 0;
        assert.ok(steps >= 4 && steps <= 7, `${steps} steps`);
        assert.ok(first.servers.length > 0);
      });

      it("has join links of Steam alone, with nothing but host and port to fill in", () => {
        for (const { join_link } of first.servers) {
          if (!join_link) continue;
          assert.match(join_link, /^steam:\/\//);
          assert.deepEqual(placeholdersIn(join_link), ["host", "port"]);
        }
      });
    });
  }
});
