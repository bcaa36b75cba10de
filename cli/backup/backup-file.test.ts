/** The file alone, without a database: whole or not at all, for its owner alone, and nothing hostile gets past the check. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { zstdCompressSync } from "node:zlib";
import { listMigrations } from "#db/migrations.ts";
import { MANIFEST, newManifest, SUMMARY, SUMS } from "./backup-shape.ts";
import { requireKnownLevel } from "./database-in.ts";
import { openBackup } from "./read-backup-file.ts";
import { BackupFileError, TAR_END, tarEntry } from "./tar-entries.ts";
import { createBackupFile } from "./write-backup-file.ts";

let folder: string;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "spawnpoint-backup-"));
});
after(() => rm(folder, { recursive: true, force: true }));

const manifest = newManifest({
  id: "0b6c7a52-9f5e-4a53-8f4b-2f3ad2f1f0aa",
  made_at: "2026-11-20T12:00:00.000000Z",
  software: "0.1.0",
  migrations: listMigrations().map(({ hash }) => hash),
  tables: [
    { name: "games", columns: ["game_id"] },
    { name: "users", columns: ["user_id"] },
  ],
  partitions: [],
  secret_check: "0".repeat(32),
});
const summary = { tables: manifest.tables.map(({ name }) => ({ name, rows: "0", fingerprint: "0" })), sequences: [] };

type Entry = [name: string, content: string | Buffer];
const GOOD: Entry[] = [
  [MANIFEST, JSON.stringify(manifest)],
  ["database/games/000001.copy", "1\n"],
  ["database/users/000001.copy", "a\n"],
  ["database/users/000002.copy", "b\n"],
  ["buckets/avatars/x.webp", "picture"],
  ["secrets/auth", "s".repeat(43)],
  [SUMMARY, JSON.stringify(summary)],
];

/** Everything right but for what the test changes: the checksums are those of the parts that are there. */
function pack(entries: Entry[], change: (tar: Buffer) => Buffer = (tar) => tar): Buffer {
  const sums = entries.map(([name, content]) => `${hash("sha256", content)}  ${name}\n`).join("");
  const all: Entry[] = [...entries, [SUMS, sums]];
  const tar = Buffer.concat([...all.map(([name, content]) => tarEntry(name, Buffer.from(content))), TAR_END]);
  return zstdCompressSync(change(tar));
}

async function openBytes(bytes: Buffer): Promise<Awaited<ReturnType<typeof openBackup>>> {
  const file = path.join(folder, "given.tar.zst");
  await writeFile(file, bytes);
  return openBackup(file);
}
const refusal = (why: RegExp) => (error: unknown) => {
  assert.ok(error instanceof BackupFileError, String(error));
  assert.match(error.message, why);
  return true;
};
const refuse = (bytes: Buffer, why: RegExp, about?: string) => assert.rejects(openBytes(bytes), refusal(why), about);
/** The good ones, with one in another's place. */
const withEntry = (at: number, ...entries: Entry[]) => pack(GOOD.toSpliced(at, 1, ...entries));

test("what is right is taken, and its parts come out as they went in", async () => {
  const backup = await openBytes(pack(GOOD));
  const parts = await Array.fromAsync(backup.parts());
  assert.deepEqual(
    parts.map(({ bytes }) => bytes.toString()),
    GOOD.map(([, content]) => content),
  );
  assert.equal(backup.secrets.get("auth")?.length, 43);
  assert.equal(backup.sha256, hash("sha256", await readFile(path.join(folder, "given.tar.zst"))));
  await backup.close();
});

test("names that lead elsewhere, or to nothing of ours, are refused", async () => {
  const names = [
    "../../etc/cron.d/x",
    "/etc/passwd",
    "secrets/../../x",
    "secrets/.ssh",
    "secrets/auth/x",
    "secrets/AUTH",
    "buckets/avatars/../x.webp",
    "buckets/avatars/a/b.webp",
    "buckets/elsewhere/x.webp",
    "buckets/avatars/.hidden",
    "database/users;drop table users/000001.copy",
    'database/users"/000001.copy',
    "database/pg_authid/000001.copy\u0001",
    "database/users/1.copy",
    "database/users/000001.copy/",
    "C:\\x",
    "postgres/PG_VERSION",
    "restore-unfinished",
  ];
  for (const name of names) await refuse(withEntry(5, [name, "x"]), /is no part of a backup|damaged/, name);
});

test("a table that the manifest does not name, parts out of order or twice, and a missing part are refused", async () => {
  const rows: Entry = ["database/users/000001.copy", "a\n"];
  await refuse(withEntry(1, ["database/sessions/000001.copy", "x"]), /does not belong/);
  await refuse(withEntry(2), /does not belong/);
  await refuse(withEntry(3, ["database/users/000003.copy", "x"]), /does not belong/);
  await refuse(withEntry(3, rows), /does not belong/);
  await refuse(withEntry(4, ["database/games/000002.copy", "x"]), /does not belong/);
  await refuse(withEntry(5, ["secrets/auth", "x"], ["buckets/avatars/y.webp", "x"]), /does not belong/);
  await refuse(withEntry(6, [SUMMARY, JSON.stringify(summary)], [SUMMARY, JSON.stringify(summary)]), /does not belong/);
  await refuse(withEntry(0), /does not begin with/);
  await refuse(withEntry(6), /not whole/);
});

test("a manifest or a summary that makes no sense is refused, a newer format and newer tables by name", async () => {
  const give = (change: object) => withEntry(0, [MANIFEST, JSON.stringify({ ...manifest, ...change })]);
  await refuse(give({ format: 2, anything: true }), /newer version/);
  await refuse(give({ unknown: 1 }), /makes no sense/);
  await refuse(give({ tables: [{ name: 'users"; drop', columns: ["a"] }] }), /makes no sense/);
  await refuse(give({ tables: [{ name: "users", columns: ["a) from program 'id'"] }] }), /makes no sense/);
  await refuse(give({ partitions: ["gameserver_sample_x"] }), /makes no sense/);
  await refuse(give({ tables: [...manifest.tables, ...manifest.tables] }), /twice/);
  await refuse(withEntry(0, [MANIFEST, "{"]), /damaged/);
  await refuse(withEntry(6, [SUMMARY, JSON.stringify({ ...summary, tables: [] })]), /summary makes no sense/);
  const later = [...manifest.migrations, "f".repeat(64)];
  assert.throws(() => requireKnownLevel({ ...manifest, migrations: later }), refusal(/newer version/));
  assert.throws(() => requireKnownLevel({ ...manifest, migrations: ["f".repeat(64)] }), refusal(/something else/));
});

test("a changed byte, a wrong checksum, a cut and something behind the end are refused, wherever they are", async () => {
  const good = pack(GOOD);
  for (let cut = 0; cut < good.length; cut += 23)
    await refuse(good.subarray(0, cut), /damaged|cut short/, `cut ${cut}`);
  for (let at = 4; at < good.length; at += 29) {
    const changed = Buffer.from(good);
    changed[at] = (changed[at] ?? 0) ^ 0x10;
    const taken = await openBytes(changed).catch((error: unknown) => {
      refusal(/./)(error);
      return null;
    });
    // A few bits of the packing mean nothing: then what comes out is what went in.
    if (taken === null) continue;
    const parts = await Array.fromAsync(taken.parts(), ({ bytes }) => bytes.toString());
    await taken.close();
    assert.deepEqual(
      parts,
      GOOD.map(([, content]) => content),
      `byte ${at}`,
    );
  }
  await refuse(
    pack(GOOD, (tar) => swap(tar, "picture", "pictura")),
    /damaged/,
  );
  await refuse(
    pack(GOOD, (tar) => Buffer.concat([tar, Buffer.from("more")])),
    /behind its end/,
  );
  await refuse(Buffer.concat([good, Buffer.from("more")]), /damaged|behind its end/);
  await refuse(
    pack(GOOD, (tar) => tar.subarray(0, -1024)),
    /cut short/,
  );
  await refuse(Buffer.from("no backup at all"), /damaged/);
  await refuse(zstdCompressSync(Buffer.from("no backup at all")), /cut short|damaged/);
});

/** Puts a text of the same length in another's place. */
function swap(tar: Buffer, from: string, to: string): Buffer {
  const copy = Buffer.from(tar);
  copy.write(to, copy.indexOf(from), "latin1");
  return copy;
}

test("links, folders, devices, long names and all else that a tar can be are refused", async () => {
  const at = (tar: Buffer) => tar.indexOf("secrets/auth");
  for (const kind of ["1", "2", "3", "4", "5", "6", "7", "x", "g", "L", "K", "S", "\0"]) {
    const change = (tar: Buffer) => {
      const copy = Buffer.from(tar);
      const start = at(copy);
      copy.write(kind, start + 156, "latin1");
      // With its sum put right again.
      copy.write("        ", start + 148);
      const sum = copy.subarray(start, start + 512).reduce((total, byte) => total + byte, 0);
      copy.write(`${sum.toString(8).padStart(6, "0")}\0 `, start + 148);
      return copy;
    };
    await refuse(pack(GOOD, change), /not a plain file/, kind);
  }
});

test("a bomb is refused before it goes off: by its declared size, and by how much it unpacks to", async () => {
  const huge = (tar: Buffer) => {
    const copy = Buffer.from(tar);
    copy.write("77777777777\0", copy.indexOf("buckets/avatars") + 124);
    return copy;
  };
  await refuse(pack(GOOD, huge), /damaged|larger/);
  const before = process.memoryUsage().rss;
  const zeros = Buffer.alloc(16 * 1024 * 1024);
  const many: Entry[] = Array.from({ length: 12 }, (_, at) => [`buckets/avatars/${at}.webp`, zeros]);
  await refuse(withEntry(4, ...many), /far more than a backup/);
  assert.ok(process.memoryUsage().rss - before < 600 * 1024 * 1024);
  await refuse(withEntry(4, ["buckets/avatars/x.webp", Buffer.alloc(17 * 1024 * 1024)]), /larger than any part/);
});

test("what is no file is refused at once: nothing, a folder, a pipe that nobody writes to", async () => {
  await assert.rejects(openBackup(path.join(folder, "nothing")), refusal(/no such file/));
  await assert.rejects(openBackup(folder), refusal(/is no file/));
  const pipe = path.join(folder, "pipe");
  execFileSync("sh", ["-c", 'mkfifo "$0"', pipe]);
  await assert.rejects(openBackup(pipe), refusal(/is no file/));
});

test("a file is its owner's alone, readable by others' tools, and has no name before it is whole", async () => {
  const file = path.join(folder, "made.tar.zst");
  const out = await createBackupFile(file);
  for (const [name, content] of GOOD) await out.add(name, Buffer.from(content));
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.startsWith("made")),
    ["made.tar.zst.unfinished"],
  );
  await assert.rejects(createBackupFile(file), refusal(/another backup is at it/));
  const { bytes, sha256 } = await out.finish();
  await out.abandon();
  const found = await stat(file);
  assert.deepEqual([found.mode & 0o777, found.size], [0o600, bytes]);
  assert.equal(hash("sha256", await readFile(file)), sha256);
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.startsWith("made")),
    ["made.tar.zst"],
  );
  const unpacked = await openBackup(file);
  await unpacked.close();
  // zstd and tar of the system, where they are.
  const listed = execFileSync("sh", ["-c", 'command -v zstd >/dev/null && zstd -dcq "$0" | tar -t || true', file]);
  if (listed.length > 0) assert.equal(listed.toString().trim().split("\n").length, GOOD.length + 1);
});

test("an existing file is never written over, a link to one neither; what is given up leaves nothing", async () => {
  const file = path.join(folder, "precious");
  await writeFile(file, "precious");
  const link = path.join(folder, "link");
  await symlink(file, link);
  for (const target of [file, link]) await assert.rejects(createBackupFile(target), refusal(/exists already/));
  // One that appears while it is written.
  const late = path.join(folder, "late");
  const out = await createBackupFile(late);
  await writeFile(late, "precious");
  await assert.rejects(out.finish(), refusal(/not written over/));
  await out.abandon();
  const given = await createBackupFile(path.join(folder, "given-up"));
  await given.add(MANIFEST, Buffer.from("x"));
  await given.abandon();
  await assert.rejects(createBackupFile(path.join(folder, "no/such/folder")), refusal(/cannot be made/));
  for (const whole of [file, late]) assert.equal(await readFile(whole, "utf8"), "precious");
  assert.deepEqual(
    (await readdir(folder)).filter((name) => /unfinished|given-up/.test(name)),
    [],
  );
});

test("a file that changes between check and use is refused", async () => {
  const backup = await openBytes(pack(GOOD));
  const file = path.join(folder, "given.tar.zst");
  const other = pack(GOOD.toSpliced(1, 1, ["database/games/000001.copy", "2\n"]));
  await truncate(file, 0);
  await writeFile(file, other);
  await assert.rejects(Array.fromAsync(backup.parts()), refusal(/changed since|damaged|cut short/));
  await backup.close();
});
