/** What people send as a picture of themselves: hostile files first. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import sharp from "sharp";
import { createObjectStorage, type ObjectStorage, type StorageError } from "#outside/object-storage.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import * as pictures from "#tests/helpers/picture-files.ts";
import { createUser } from "../accounts/users.ts";
import { AVATAR_MAX_BYTES, findPublicAvatar, makeAvatar, saveAvatar } from "./avatars.ts";

let database: TestDatabase;
let dataDir: string;
const actorOf = (user_id: string) => ({ user_id, origin: { ip: "", user_agent: "" } });

before(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(path.join(tmpdir(), "spawnpoint-avatars-"));
});

after(async () => {
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
const truncated = async () => {
  const { jpeg } = await pictures.goodPictures(1600, 1200);
  return jpeg.subarray(0, jpeg.length / 2);
};

for (const [name, make, reason] of [
  ["an empty file", () => Buffer.alloc(0), "empty"],
  ["more than 5 MB", () => Buffer.alloc(AVATAR_MAX_BYTES + 1, 0xff), "too-heavy"],
  ["an SVG", () => Buffer.from(svg), "no-image"],
  ["an SVG behind an XML head", () => Buffer.from(`<?xml version="1.0"?>\n${svg}`), "no-image"],
  ["HTML named .png", () => Buffer.from("<!doctype html><script>alert(1)</script>"), "no-image"],
  ["a PDF", () => Buffer.from("%PDF-1.7\n"), "no-image"],
  ["a TIFF", () => sharp(Buffer.from(svg)).tiff().toBuffer(), "no-image"],
  ["a GIF that is JavaScript as well", pictures.gifAndScript, "polyglot"],
  ["a GIF with a page in its comment", () => pictures.gif(1, { comment: "<script>alert(1)</script>" }), "polyglot"],
  ["a GIF with a page behind its end", () => pictures.gif(1, { tail: "<html><body>" }), "polyglot"],
  ["a GIF that is only its first words", () => Buffer.from("GIF89a=1;alert(document.domain)//"), "broken"],
  ["a PNG of 65,000 × 65,000", () => pictures.zeroPng(65_000, 65_000), "too-many-pixels"],
  ["a PNG of just over 24 megapixels", () => pictures.zeroPng(6_001, 4_000), "too-many-pixels"],
  ["a PNG that ends in its middle", () => pictures.zeroPng(4_000, 4_000), "broken"],
  ["a PNG with half a gigabyte of text", pictures.textBombPng, /broken|^ok$/],
  ["a truncated JPEG", truncated, "broken"],
  ["a JPEG of rubbish", () => Buffer.from("ffd8ffe000104a46494600010101", "hex"), "broken"],
  ["an AVIF of rubbish", () => Buffer.from("\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf", "latin1"), "broken"],
  ["a WebP of rubbish", () => Buffer.from("RIFF\x10\0\0\0WEBPVP8L\0\0\0\0", "latin1"), "broken"],
  ["a GIF of two frames", () => pictures.gif(2), "moving"],
  ["a GIF of 10,000 frames", () => pictures.gif(10_000), "moving"],
  ["an APNG of 10,000 frames", () => pictures.movingPng(10_000), "moving"],
  ["a WebP of 10,000 frames", () => pictures.movingWebp(10_000), "moving"],
] as const) {
  test(`${name} is refused within little memory`, async () => {
    const bytes = await make();
    const memory = process.memoryUsage().rss;
    const made = await makeAvatar(bytes);
    assert.match(made.ok ? "ok" : made.reason, typeof reason === "string" ? new RegExp(`^${reason}$`) : reason);
    const grown = (process.memoryUsage().rss - memory) / 1e6;
    assert.ok(grown < 200, `memory grew by ${grown.toFixed(0)} MB`);
  });
}

test("each of the five formats becomes a square WebP of 500 px", async () => {
  for (const [format, bytes] of Object.entries(await pictures.goodPictures())) {
    const made = await makeAvatar(bytes);
    assert.ok(made.ok, format);
    const found = await sharp(made.webp).metadata();
    assert.deepEqual([found.format, found.width, found.height], ["webp", 500, 500], format);
  }
});

test("a small picture is not blown up: up to 512 px it keeps its size", async () => {
  for (const [width, height, side] of [
    [512, 512, 512],
    [513, 513, 500],
    [300, 200, 200],
    [1, 1, 1],
  ] as const) {
    const made = await makeAvatar((await pictures.goodPictures(width, height)).png);
    assert.deepEqual(made.ok && made.side, side, `${width} × ${height}`);
  }
});

test("the picture stands upright, and nothing of its metadata is left", async () => {
  const photo = await pictures.photoWithMetadata();
  assert.match(photo.toString("latin1"), /SecretCamera/);
  const made = await makeAvatar(photo);
  assert.ok(made.ok);
  assert.doesNotMatch(made.webp.toString("latin1"), /SecretCamera|Jane Doe|EXIF|XMP |ICCP/);
  const { exif, icc, xmp, orientation } = await sharp(made.webp).metadata();
  assert.deepEqual([exif, icc, xmp, orientation], [undefined, undefined, undefined, undefined]);
});

test("twenty large pictures at once: two at a time, the rest wait or are told to come back, and memory stays bounded", async () => {
  const { png } = await pictures.goodPictures(5_000, 4_800);
  const memory = process.memoryUsage().rss;
  const made = await Promise.all(Array.from({ length: 20 }, () => makeAvatar(png)));
  const grown = (process.memoryUsage().rss - memory) / 1e6;
  const busy = made.filter((outcome) => !outcome.ok && outcome.reason === "busy").length;
  assert.equal(busy, 2);
  assert.equal(made.filter(({ ok }) => ok).length, 18);
  assert.ok(grown < 400, `memory grew by ${grown.toFixed(0)} MB`);
});

describe("in a store", () => {
  let storage: ObjectStorage;
  let userId: string;
  const parts = () => ({ db: database.db, storage });
  const fail = (error: StorageError) => {
    throw error;
  };
  const addressOf = async () =>
    (await database.sql`select avatar_url from profiles where user_id = ${userId}`)[0]?.avatar_url;

  before(async () => {
    storage = createObjectStorage({ dataDir });
    const user = await createUser(database.db, { email: "ada@example.org", passwordHash: null, locale: "en" });
    userId = user.id;
    assert.ok((await saveAvatar(parts(), actorOf(userId), (await pictures.goodPictures()).jpeg, fail)).ok);
  });

  test("doesn't show the avatar of a closed account", async () => {
    await database.sql`update users set deactivated_at = now() where user_id = ${userId}`;
    assert.equal(await findPublicAvatar(parts(), userId), null);
    await database.sql`update users set deactivated_at = null where user_id = ${userId}`;
    assert.ok(await findPublicAvatar(parts(), userId));
  });

  test("keeps the address when the audit row can't be written", async () => {
    const before = await addressOf();
    await database.sql`create function refuse_audit() returns trigger language plpgsql as $$ begin raise exception 'no audit'; end $$`;
    await database.sql`create trigger refuse_audit before insert on audit_events execute function refuse_audit()`;
    const { png } = await pictures.goodPictures();
    await assert
      .rejects(saveAvatar(parts(), actorOf(userId), png, fail))
      .finally(() => database.sql`drop function refuse_audit cascade`);
    assert.equal(await addressOf(), before);
  });

  test("leaves no file for an account that was erased during the upload", async () => {
    const gone = "00000000-0000-4000-8000-000000000000";
    await saveAvatar(parts(), actorOf(gone), (await pictures.goodPictures()).png, fail);
    assert.equal(await storage.find("avatars", `${gone}.webp`), null);
  });
});
