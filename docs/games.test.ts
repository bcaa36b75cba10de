/** The page of the games is the one that catalogue, adapters and notes make, and its links lead somewhere. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { CATALOGUE } from "#content/catalogue/catalogue.ts";
import { GAME_NOTES } from "#content/catalogue/game-notes.ts";
import { gamesPage } from "../scripts/games-page.ts";

const page = readFileSync(path.join(import.meta.dirname, "games.md"), "utf8");

test("it is made of what is known, with every game in it once", () => {
  assert.equal(page, gamesPage(), "`npm run docs:games` writes it anew");
  const listed = [...page.matchAll(/^- \*\*.+?\*\*: (.+)$/gm)]
    .flatMap(([, games = ""]) => games.split("; "))
    .map((entry) => entry.replace(/ `[^`]+`$/, ""));
  assert.deepEqual(listed.sort(), CATALOGUE.map(({ name }) => name).sort());
});

test("its notes are of games that there are, and what it links to is there", () => {
  const ids = new Set(CATALOGUE.map(({ id }) => id));
  assert.deepEqual(
    Object.keys(GAME_NOTES).filter((id) => !ids.has(id)),
    [],
  );
  assert.ok(!page.includes("undefined") && !page.includes("[object"));
  for (const [, target = ""] of page.matchAll(/\]\(([^)#]+)\)/g))
    assert.ok(existsSync(path.join(import.meta.dirname, target)), target);
});
