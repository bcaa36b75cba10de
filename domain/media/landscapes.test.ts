/** The library: every master is what the list says, a name always gets one, and a file is made once, also while the store is away. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { beforeEach, describe, test } from "node:test";
import sharp from "sharp";
import { LANDSCAPES, landscapeFor, landscapeOf, masterOf } from "#content/landscapes/landscapes.ts";
import { type ObjectStorage, StorageError } from "#outside/object-storage.ts";
import de from "#shared/messages/de.json" with { type: "json" };
import en from "#shared/messages/en.json" with { type: "json" };
import { BANNER } from "./files.ts";
import { isPolyglot, readImageFile } from "./image-file.ts";
import { findLandscapeFile, landscapeOfFile } from "./landscapes.ts";

const MOST_BYTES = 12 * 1024 * 1024;

test("each of the 36 has its master and its label in both languages, and together they weigh 12 MB at most", async () => {
  assert.equal(new Set(LANDSCAPES.map(({ name }) => name)).size, 36);
  let bytes = 0;
  for (const { name, id, focus, placeholder } of LANDSCAPES) {
    const master = readFileSync(masterOf({ name }));
    bytes += master.length;
    const hash = createHash("sha256").update(master).digest("hex");
    assert.equal(id, hash.slice(0, 32), `${name}: npm run landscapes`);
    const { width, height, format } = await sharp(master).metadata();
    assert.deepEqual([width, height, format], [2560, 2560 * BANNER.ratio, "webp"], name);
    assert.ok(readImageFile(master)?.format === "webp" && !isPolyglot(master), `${name} is taken like an upload`);
    assert.ok(focus.length === 2 && focus.every((at) => at >= 0 && at <= 100), name);
    assert.match(placeholder, /^data:image\/webp;base64,/);
    for (const { landscape } of [en, de]) assert.ok(Object.hasOwn(landscape[0]?.match ?? {}, `name=${name}`), name);
  }
  assert.ok(bytes <= MOST_BYTES, `${bytes} bytes`);
});

test("a name always gets the same one, another where it is taken, and one even when all are", () => {
  const first = landscapeFor("Iron Tundra");
  assert.equal(landscapeFor("  IRON tundra").name, first.name);
  const second = landscapeFor("Iron Tundra", new Set([first.name]));
  assert.notEqual(second.name, first.name);
  assert.ok(landscapeFor("", new Set(LANDSCAPES.map(({ name }) => name))));
  const shown = Array.from({ length: 400 }, (_, number) => landscapeFor(`Game ${number}`).name);
  assert.equal(new Set(shown).size, LANDSCAPES.length, "names are spread over all of them");
});

test("what a game shows: the painting of its address, the landscape that was chosen, else the one of its name", () => {
  const shown = (game_slug: string, picture: string | null) =>
    landscapeOf({ game_name: "Iron Tundra", game_slug, picture })?.name ?? null;
  assert.equal(shown("valheim", null), null);
  assert.equal(shown("iron-tundra", "minecraft"), null);
  assert.equal(shown("valheim", "desert"), "desert");
  for (const picture of [null, "a picture of another version"])
    assert.equal(shown("iron-tundra", picture), landscapeFor("Iron Tundra").name);
});

describe("its files", () => {
  const [landscape] = LANDSCAPES;
  assert.ok(landscape);
  const key = `${landscape.id}-345.avif`;
  const files = new Map<string, Uint8Array>();
  let isAway = false;
  let stored = 0;
  const storage: ObjectStorage = {
    async put(_bucket, name, bytes) {
      if (isAway) throw new StorageError("the store does not answer");
      stored += 1;
      files.set(name, bytes);
    },
    async find(_bucket, name) {
      if (isAway) throw new StorageError("the store does not answer");
      const bytes = files.get(name);
      return bytes ? Buffer.from(bytes) : null;
    },
    async remove() {},
    async *list() {
      yield [];
    },
  };
  const troubles: StorageError[] = [];
  const find = () => findLandscapeFile(storage, landscape, key, (error) => troubles.push(error));
  beforeEach(() => {
    files.clear();
    isAway = false;
    stored = 0;
    troubles.length = 0;
  });

  test("only names of its own sizes lead to it", () => {
    assert.equal(landscapeOfFile(key)?.name, landscape.name);
    for (const name of [`${landscape.id}-960.webp`, `${landscape.id}-logo.webp`, `${"0".repeat(32)}-345.avif`, ""])
      assert.equal(landscapeOfFile(name), null, name);
  });

  test("many who ask at once get one that is made once, in its size, and kept", async () => {
    const [first, ...others] = await Promise.all(Array.from({ length: 20 }, find));
    assert.ok(first);
    const { width, height, format } = await sharp(first).metadata();
    assert.deepEqual([width, height, format], [345, 216, "heif"]);
    assert.ok(others.every((other) => other?.equals(first)));
    assert.equal(stored, 1);
    assert.ok((await find())?.equals(first));
    assert.equal(stored, 1);
  });

  test("while the store is away it is made all the same, and the log hears why", async () => {
    isAway = true;
    assert.ok(await find());
    assert.ok(troubles.length > 0);
    isAway = false;
    assert.ok(await find());
    assert.equal(stored, 1);
  });
});
