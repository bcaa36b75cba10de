/** Both stores through the same door: a folder, and an S3 server that is not ours. */
import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { startS3Store } from "../tests/heavy/s3-store.ts";
import { createObjectStorage, type ObjectStorage, type S3Settings, StorageError } from "./object-storage.ts";

const ABOUT = { type: "image/webp", cacheControl: "public, max-age=3600" };
const KEY = "0b6c7a52-9f5e-4a53-8f4b-2f3ad2f1f0aa.webp";
let dataDir: string;
let s3: Awaited<ReturnType<typeof startS3Store>>;

before(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "spawnpoint-storage-"));
  s3 = await startS3Store();
});

after(async () => {
  await s3.stop();
  await rm(dataDir, { recursive: true, force: true });
});

function endServer(server: Server): void {
  server.closeAllConnections();
  server.close();
}

for (const kind of ["folder", "S3"] as const) {
  describe(kind, () => {
    let storage: ObjectStorage;
    before(() => {
      storage = createObjectStorage({ dataDir, s3: kind === "S3" ? s3.settings : undefined });
    });

    test("names that lead elsewhere are refused before anything is asked", async () => {
      for (const key of ["../x", "a/b", "..", ".hidden", "a\\b", "a..b", "", "a\u0000", "A", "x".repeat(200)]) {
        await assert.rejects(storage.put("avatars", key, Buffer.from("x"), ABOUT), RangeError, key);
        await assert.rejects(storage.find("avatars", key), RangeError, key);
        await assert.rejects(storage.remove("avatars", key), RangeError, key);
      }
      await assert.rejects(storage.find("../avatars", KEY), RangeError);
    });

    test("what is not there is null, and can be removed all the same", async () => {
      assert.equal(await storage.find("avatars", KEY), null);
      await storage.remove("avatars", KEY);
    });

    test("a file is kept byte for byte, replaced as a whole, and gone after its removal", async () => {
      const bytes = Buffer.from(Array.from({ length: 256 }, (_, value) => value));
      await storage.put("avatars", KEY, bytes, ABOUT);
      assert.deepEqual(await storage.find("avatars", KEY), bytes);
      await storage.put("avatars", KEY, Buffer.from("new"), ABOUT);
      assert.equal(String(await storage.find("avatars", KEY)), "new");
      await storage.remove("avatars", KEY);
      assert.equal(await storage.find("avatars", KEY), null);
    });

    test("all files of a bucket are listed, and none of a name that is not ours", async () => {
      const list = async () =>
        (await Array.fromAsync(storage.list("avatars")))
          .flat()
          .map(({ key }) => key)
          .sort();
      assert.deepEqual(await list(), []);
      const keys = Array.from({ length: 3 }, (_, at) => `${at}${KEY.slice(1)}`);
      for (const key of keys) await storage.put("avatars", key, Buffer.from("x"), ABOUT);
      if (kind === "folder") await writeFile(path.join(dataDir, "buckets/avatars/.hidden"), "");
      assert.deepEqual(await list(), keys);
      for (const key of keys) await storage.remove("avatars", key);
    });
  });
}

test("folder: files are the owner's alone, nothing half-written stays, and leftovers of a killed process go", async () => {
  const storage = createObjectStorage({ dataDir });
  const incoming = path.join(dataDir, "buckets/.incoming");
  await storage.put("avatars", KEY, Buffer.from("x"), ABOUT);
  await writeFile(path.join(incoming, "old"), "half");
  await utimes(path.join(incoming, "old"), 0, 0);
  await createObjectStorage({ dataDir }).put("avatars", KEY, Buffer.from("y"), ABOUT);
  assert.deepEqual(await readdir(incoming), []);
  const file = path.join(dataDir, "buckets/avatars", KEY);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.equal(await readFile(file, "utf8"), "y");
});

test("folder: readers see the old file or the new one, never half of one", async () => {
  const storage = createObjectStorage({ dataDir });
  const all = ["a", "b", "c", "d"].map((letter) => Buffer.from(letter.repeat(300_000)));
  await storage.put("avatars", KEY, all[0] ?? Buffer.of(), ABOUT);
  let done = false;
  const writing = (async () => {
    for (let round = 0; round < 10; round += 1)
      for (const bytes of all) await storage.put("avatars", KEY, bytes, ABOUT);
  })().finally(() => {
    done = true;
  });
  let seen = 0;
  while (!done) {
    const found = await storage.find("avatars", KEY);
    assert.ok(
      all.some((bytes) => found && bytes.equals(found)),
      "a whole file",
    );
    seen += 1;
  }
  await writing;
  assert.ok(seen > 10, `${seen} reads`);
});

test("folder: a place that cannot be written is an error of the store", async () => {
  await writeFile(path.join(dataDir, "file"), "");
  const storage = createObjectStorage({ dataDir: path.join(dataDir, "file") });
  await assert.rejects(storage.put("avatars", KEY, Buffer.from("x"), ABOUT), StorageError);
});

test("S3: a wrong key, a missing bucket, a closed port and an endless answer are errors of the store, and never hold the secret", async (context) => {
  const other = (change: Partial<S3Settings>) => createObjectStorage({ dataDir, s3: { ...s3.settings, ...change } });
  const refused = (storage: ObjectStorage) =>
    assert.rejects(storage.put("avatars", KEY, Buffer.from("x"), ABOUT), (error) => {
      assert.ok(error instanceof StorageError);
      assert.doesNotMatch(error.message, /S3RVER|wrong-secret/);
      return true;
    });
  // This server knows accounts, but does not check version 4 signatures: a wrong name of the account is what it refuses.
  await refused(other({ accessKeyId: "wrong-secret" }));
  await refused(other({ bucketPrefix: "nowhere-" }));
  await assert.rejects(other({ bucketPrefix: "nowhere-" }).find("avatars", KEY), StorageError);
  await refused(other({ endpoint: "http://127.0.0.1:9" }));

  const endless = createServer((_request, response) => {
    const write = () => response.write(Buffer.alloc(1 << 20), (error) => error || setImmediate(write));
    response.on("error", () => {});
    write();
  });
  context.after(() => endServer(endless));
  await new Promise<void>((resolve) => endless.listen(0, "127.0.0.1", resolve));
  const { port } = endless.address() as AddressInfo;
  await assert.rejects(other({ endpoint: `http://127.0.0.1:${port}` }).find("avatars", KEY), /larger than/);
});

test("S3: a store that is overloaded is asked once more, with the whole file", async (context) => {
  const bodies: string[] = [];
  const busy = createServer((request, response) => {
    let body = "";
    request.on("data", (part) => {
      body += part;
    });
    request.on("end", () => {
      bodies.push(body);
      response.writeHead(bodies.length === 1 ? 503 : 200).end("<Code>SlowDown</Code>");
    });
  });
  context.after(() => endServer(busy));
  await new Promise<void>((resolve) => busy.listen(0, "127.0.0.1", resolve));
  const { port } = busy.address() as AddressInfo;
  const storage = createObjectStorage({ dataDir, s3: { ...s3.settings, endpoint: `http://127.0.0.1:${port}` } });
  await storage.put("avatars", KEY, Buffer.from("a picture"), ABOUT);
  assert.deepEqual(bodies, ["a picture", "a picture"]);
});

/** Leaves nothing that only a weak reference holds: what a limit hangs on must be held by what it limits. */
function collectGarbageOften(): { stop(): void } {
  setFlagsFromString("--expose_gc");
  const collect = runInNewContext("gc") as () => void;
  const timer = setInterval(collect, 500);
  return { stop: () => clearInterval(timer) };
}

for (const [what, behave] of [
  ["does not answer", () => {}],
  ["stops in the middle of its answer", (_request, response) => response.writeHead(200).write("half")],
] satisfies [string, RequestListener][]) {
  test(`S3: a store that ${what} is given up within the limit`, async (context) => {
    const silent = createServer(behave);
    const garbage = collectGarbageOften();
    // Also where the limit of this test comes first: an open server would keep the process for ever.
    context.after(() => {
      garbage.stop();
      endServer(silent);
    });
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as AddressInfo;
    const storage = createObjectStorage({ dataDir, s3: { ...s3.settings, endpoint: `http://127.0.0.1:${port}` } });
    // The limit is ten seconds; without one it would wait for ever. A busy machine may be late.
    await assert.rejects(storage.find("avatars", KEY), StorageError);
  });
}
