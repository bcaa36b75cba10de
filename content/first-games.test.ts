import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { LocalText } from "#db/schema/games.ts";
import { guideShape, hasKnownPlaceholders } from "#domain/games/guide.ts";
import type { FirstGame } from "./first-game.ts";
import { FIRST_GAMES } from "./first-games.ts";

/** Every text of a game: in its row, its guide and its boxes. */
function textsOf(game: FirstGame): LocalText[] {
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
  const all = [game.tagline, game.description, ...guide, ...boxes];
  return all.filter((text) => text !== undefined && text !== null);
}

function placeholdersIn(text: string): string[] {
  return [...text.matchAll(/\{([^}]*)\}/g)].map((match) => match[1] ?? "");
}

describe("the games that ship with Spawnpoint", () => {
  it("has the eight games under their addresses, in the order of the home page", () => {
    assert.deepEqual(
      FIRST_GAMES.map((game) => [game.game_slug, game.game_name]),
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
    for (const game of FIRST_GAMES) assert.equal(game.picture, game.game_slug);
  });

  for (const game of FIRST_GAMES) {
    describe(game.game_name, () => {
      it("says everything in English and in German", () => {
        for (const text of textsOf(game)) {
          assert.ok(text.en.trim(), JSON.stringify(text));
          assert.ok(text.de?.trim(), `no German for "${text.en}"`);
        }
      });

      it("uses only placeholders that can be filled, the same in both languages", () => {
        for (const text of textsOf(game)) {
          const used = placeholdersIn(text.en);
          assert.ok(hasKnownPlaceholders(text.en), text.en);
          assert.deepEqual(placeholdersIn(text.de ?? "").sort(), used.sort());
        }
      });

      it("types no port into a step: it comes from the record", () => {
        for (const text of textsOf(game))
          for (const written of [text.en, text.de ?? ""]) assert.doesNotMatch(written, /(?<!\d)\d{4,5}(?!\d)/);
      });

      it("would be taken by the form that saves a guide", () => {
        const form = (items: NonNullable<typeof game.guide>) =>
          items.map(({ title, text, links = [] }) => ({
            title_en: title.en,
            title_de: title.de ?? "",
            text_en: text?.en ?? "",
            text_de: text?.de ?? "",
            links: links.map(({ label, url }) => ({ url, label_en: label.en, label_de: label.de ?? "" })),
          }));
        const { guide = [], guide_boxes = [] } = game;
        assert.equal(guideShape.safeParse({ steps: form(guide), boxes: form(guide_boxes) }).success, true);
      });

      it("leads nowhere but to https addresses or links of the record", () => {
        const steps = (game.guide ?? []).flatMap((step) => step.links ?? []);
        const boxes = (game.guide_boxes ?? []).flatMap((box) => box.links ?? []);
        for (const { url } of [...steps, ...boxes]) {
          assert.ok(/^\{link:[a-z]+\}$/.test(url) || new URL(url).protocol === "https:", url);
        }
      });

      it("has a guide of four to seven steps", () => {
        const steps = game.guide?.length ?? 0;
        assert.ok(steps >= 4 && steps <= 7, `${steps} steps`);
      });
    });
  }
});
