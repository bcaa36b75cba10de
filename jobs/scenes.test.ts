// Games without a picture get one: drawn once, kept, put off while the store is away, and never in anybody's way.
import assert from "node:assert/strict";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { after, before, beforeEach, test } from "node:test";
import { pino } from "pino";
import sharp from "sharp";
import type { DrawnScene } from "#db/schema/index.ts";
import { BANNER, keysOf } from "#domain/media/files.ts";
import { askForAnotherScene, claimDueScene, keepScene } from "#domain/media/scenes.ts";
import type { Actor } from "#domain/site/audit.ts";
import { type ObjectStorage, StorageError } from "#outside/object-storage.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { drawScenes } from "./scenes.ts";

let database: TestDatabase;
let files: Map<string, Uint8Array>;
let isAway = false;
const lines: { msg: string }[] = [];
const log = pino({ level: "debug" }, { write: (line) => void lines.push(JSON.parse(line)) });

/** A store in memory that can be away. */
const storage: ObjectStorage = {
  async put(bucket, key, bytes) {
    if (isAway) throw new StorageError("the store does not answer");
    files.set(`${bucket}/${key}`, bytes);
  },
  async find(bucket, key) {
    const bytes = files.get(`${bucket}/${key}`);
    return bytes ? Buffer.from(bytes) : null;
  },
  async remove(bucket, key) {
    files.delete(`${bucket}/${key}`);
  },
  async *list() {
    yield [];
  },
};

before(async () => {
  database = await createTestDatabase();
});
after(() => database?.drop());
beforeEach(async () => {
  await database.sql`delete from games`;
  files = new Map();
  isAway = false;
  lines.length = 0;
});

const addGame = async (name: string, slug: string, rest: { picture?: string; banner?: object } = {}) => {
  const [row] = await database.sql<{ game_id: number }[]>`
    insert into games (game_name, game_acronym, game_slug, tagline, description, picture, banner)
    values (${name}, 'X', ${slug}, '{"en":""}', '{"en":""}', ${rest.picture ?? null},
      ${rest.banner ? JSON.stringify(rest.banner) : null}::jsonb)
    returning game_id`;
  assert.ok(row);
  return row.game_id;
};
const sceneOf = async (gameId: number) => {
  const [row] = await database.sql<{ scene: DrawnScene | null; scene_due_at: Date | null; waits_s: number | null }[]>`
    select scene, scene_due_at, extract(epoch from scene_due_at - now())::float as waits_s
    from games where game_id = ${gameId}`;
  assert.ok(row);
  return row;
};
const run = (signal = new AbortController().signal) => drawScenes({ db: database.db, storage, log, signal });

test("a game with a picture of its own or of the set is left alone", async () => {
  const uploaded = { id: "a".repeat(32), width: 345, height: 216, widths: [345], placeholder: "" };
  const own = await addGame("Own", "own", { banner: uploaded });
  const shipped = await addGame("Valheim", "valheim");
  const named = await addGame("Another", "another", { picture: "minecraft" });
  await run();
  for (const id of [own, shipped, named]) assert.equal((await sceneOf(id)).scene, null);
  assert.equal(files.size, 0);
});

test("a game without one gets it in all sizes, while this process goes on; another one takes its place, and its files go", async () => {
  const id = await addGame("Iron Tundra", "iron-tundra");
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const before = process.cpuUsage();
  delay.enable();
  await run();
  delay.disable();
  const spent = process.cpuUsage(before).user / 1000;
  const { scene, scene_due_at } = await sceneOf(id);
  assert.ok(scene);
  assert.equal(scene_due_at, null);
  assert.deepEqual(scene.widths, [...BANNER.widths]);
  assert.deepEqual(
    [...files.keys()].sort(),
    keysOf(scene.id, BANNER)
      .map((key) => `media/${key}`)
      .sort(),
  );
  const largest = files.get(`media/${scene.id}-1380.avif`);
  assert.ok(largest);
  const { width, height } = await sharp(largest).metadata();
  assert.deepEqual([width, height], [1380, 862]);
  // The drawing is done elsewhere: hardly any of this process's own time goes into it.
  assert.ok(spent < 700, `this process worked ${spent.toFixed(0)} ms for it`);
  assert.ok(delay.percentile(99) / 1e6 < 200, `the loop was late by ${(delay.percentile(99) / 1e6).toFixed(0)} ms`);

  await database.sql`update games set game_name = 'Something else' where game_id = ${id}`;
  await run();
  assert.equal((await sceneOf(id)).scene?.id, scene.id, "it stays when the game is renamed");

  assert.equal(await askForAnotherScene(database.db, await anActor(), id), true);
  assert.equal((await sceneOf(id)).scene?.id, scene.id, "the old one stays until then");
  await run();
  const second = (await sceneOf(id)).scene;
  assert.ok(second);
  assert.notEqual(second.id, scene.id);
  assert.notDeepEqual([second.shows.land, second.shows.view], [scene.shows.land, scene.shows.view]);
  assert.ok(![...files.keys()].some((key) => key.includes(scene.id)));
});

test("a claim lasts, and what comes too late or for a game that is gone shows nothing and is cleared away", async () => {
  const id = await addGame("One", "one");
  const due = await claimDueScene(database.db);
  assert.equal(due?.game_id, id);
  assert.equal(await claimDueScene(database.db), null, "nobody else draws it meanwhile");
  assert.ok(due);
  const scene = { id: "b".repeat(32) } as DrawnScene;
  await askForAnotherScene(database.db, await anActor(), id);
  assert.deepEqual(await keepScene(database.db, due, scene), { unused: scene.id }, "an admin wanted another one");
  await database.sql`delete from games`;
  assert.deepEqual(await keepScene(database.db, due, scene), { unused: scene.id });
});

const anActor = async (): Promise<Actor> => {
  const [user] = await database.sql<{ user_id: string }[]>`
    insert into users (email) values ('ada@example.org') on conflict (email) do update set email = excluded.email
    returning user_id`;
  assert.ok(user);
  return { user_id: user.user_id, origin: { ip: "127.0.0.1", user_agent: "a test" } };
};

test("while the store is away it is put off, said once a try; when it is back, two at once draw each game once", async () => {
  isAway = true;
  const id = await addGame("One", "one");
  await run();
  const { scene, waits_s } = await sceneOf(id);
  assert.equal(scene, null);
  assert.ok(waits_s !== null && waits_s > 30 && waits_s < 90, `again in ${waits_s} s`);
  assert.equal(lines.filter(({ msg }) => msg.includes("could not be stored")).length, 1);
  await run();
  assert.equal(lines.length, 1, "not before its time");
  isAway = false;
  await database.sql`update games set scene_due_at = now()`;
  const ids = [id, await addGame("Two", "two")];
  await Promise.all([run(), run()]);
  const scenes = await Promise.all(ids.map(async (each) => (await sceneOf(each)).scene));
  assert.equal(files.size, 16, "eight files for each of two games");
  assert.ok(scenes.every(Boolean));
});

test("a stop ends the drawing at once, and leaves the game to be drawn later", async () => {
  const id = await addGame("One", "one");
  const stop = new AbortController();
  const running = run(stop.signal);
  setTimeout(() => stop.abort(), 50);
  await running;
  const { scene, scene_due_at } = await sceneOf(id);
  assert.equal(scene, null);
  assert.notEqual(scene_due_at, null);
  assert.equal(lines.length, 0, "and that is no fault");
});
