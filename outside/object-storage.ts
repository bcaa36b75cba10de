// Stores files in buckets: in a folder of this machine, or any S3-compatible store.
import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { AwsClient } from "aws4fetch";
import { ANYWHERE, request } from "./request.ts";

/** The store could not be reached, refused, or took too long; the message is for the operator's log. */
export class StorageError extends Error {
  override name = "StorageError";
}

export type ObjectStorage = {
  /** Replaces a file atomically: readers see the old one or the new one, never half of one. @throws {StorageError} */
  put(bucket: string, key: string, bytes: Uint8Array, about: { type: string; cacheControl: string }): Promise<void>;
  /** Reads the whole file; null if there is none. @throws {StorageError} */
  find(bucket: string, key: string): Promise<Buffer | null>;
  /** Deletes a file, which may be missing. @throws {StorageError} */
  remove(bucket: string, key: string): Promise<void>;
  /** Lists all files of a bucket, a page at a time; skips names that the site would not give. @throws {StorageError} */
  list(bucket: string): AsyncGenerator<StoredFile[]>;
};

/** `size` in bytes. */
export type StoredFile = { key: string; size: number; changed_at: Date };

/** An S3-compatible store; buckets are called `bucketPrefix` + name and are part of the address's path. */
export type S3Settings = {
  endpoint: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  bucketPrefix: string;
};

/** For both tries together, including the whole response. */
const LIMIT_MS = 10_000;
const AGAIN_MS = 100;
/** No stored file is larger; longer responses are refused. */
const MAX_BYTES = 16 * 1024 * 1024;
const LEFTOVER_MS = 3_600_000;
/** Files per page of a folder's list; S3 has pages of its own. */
const PAGE = 1_000;

/** Makes the store of the settings; sends nothing before the first call. */
export function createObjectStorage(settings: { dataDir: string; s3?: S3Settings | undefined }): ObjectStorage {
  return settings.s3 ? s3Storage(settings.s3) : folderStorage(path.join(settings.dataDir, "buckets"));
}

const KEY = /^[a-z0-9][a-z0-9-]{0,100}(?:\.[a-z0-9]{1,10})?$/;

/** @throws {RangeError} for a name that could lead anywhere else; the site makes all names, so this is a bug. */
function checkNames(bucket: string, key: string): void {
  if (!/^[a-z0-9][a-z0-9-]{1,40}$/.test(bucket) || !KEY.test(key)) {
    throw new RangeError(`"${bucket}/${key}" is no name of a file in a bucket`);
  }
}

function folderStorage(root: string): ObjectStorage {
  const incoming = path.join(root, ".incoming");
  let ready: Promise<void> | null = null;
  const place = (bucket: string, key: string) => {
    checkNames(bucket, key);
    return path.join(root, bucket, key);
  };
  const failed = (act: string, error: unknown) =>
    new StorageError(`${act} ${root} failed: ${error instanceof Error ? error.message : error}`, { cause: error });

  /** Empty if the file was removed while the folder was read. */
  async function look(bucket: string, key: string): Promise<StoredFile[]> {
    const found = await stat(place(bucket, key)).catch(() => null);
    return found ? [{ key, size: found.size, changed_at: found.mtime }] : [];
  }

  return {
    async put(bucket, key, bytes) {
      const target = place(bucket, key);
      const written = path.join(incoming, randomUUID());
      try {
        ready ??= prepare(incoming);
        await ready;
        await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
        const file = await open(written, "wx", 0o600);
        try {
          await file.writeFile(bytes);
          // Flushed before renaming, so that a power failure leaves one of the two complete.
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(written, target);
      } catch (error) {
        ready = null;
        await rm(written, { force: true }).catch(() => {});
        throw failed("writing to", error);
      }
    },
    async find(bucket, key) {
      try {
        return await readFile(place(bucket, key));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
        throw error instanceof RangeError ? error : failed("reading from", error);
      }
    },
    async remove(bucket, key) {
      const target = place(bucket, key);
      await rm(target, { force: true }).catch((error: unknown) => {
        throw failed("removing from", error);
      });
    },
    async *list(bucket) {
      checkNames(bucket, "list");
      try {
        const found = await readdir(path.join(root, bucket), { withFileTypes: true });
        const keys = found.filter((each) => each.isFile() && KEY.test(each.name)).map(({ name }) => name);
        for (let from = 0; from < keys.length; from += PAGE) {
          yield (await Promise.all(keys.slice(from, from + PAGE).map((key) => look(bucket, key)))).flat();
        }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw failed("listing", error);
      }
    },
  };
}

/** Makes the folder for incomplete files, and removes what a killed process left in it. */
async function prepare(incoming: string): Promise<void> {
  await mkdir(incoming, { recursive: true, mode: 0o700 });
  for (const name of await readdir(incoming)) {
    const file = path.join(incoming, name);
    const found = await stat(file).catch(() => null);
    if (found && Date.now() - found.mtimeMs > LEFTOVER_MS) await rm(file, { force: true });
  }
}

type Init = {
  method: "GET" | "PUT" | "DELETE";
  headers?: Record<string, string>;
  body?: Uint8Array<ArrayBuffer>;
};

function s3Storage(settings: S3Settings): ObjectStorage {
  const { accessKeyId, secretAccessKey, region } = settings;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3" });
  const root = settings.endpoint.replace(/\/+$/, "");

  const askOnce = async (address: string, { method, headers, body }: Init, endsAt: number) => {
    const signed = await client.sign(address, { method, headers, body });
    return request(signed.url, {
      method,
      headers: Object.fromEntries(signed.headers),
      body,
      maxBytes: MAX_BYTES,
      timeoutMs: endsAt - performance.now(),
      allow: ANYWHERE,
    });
  };

  /** `key` is empty for requests about the bucket itself, with `query`. Retries once if the store is overloaded. */
  async function ask(bucket: string, key: string, init: Init, query = "") {
    checkNames(bucket, query === "" ? key : "all");
    const address = `${root}/${settings.bucketPrefix}${bucket}${key && "/"}${key}${query}`;
    try {
      const endsAt = performance.now() + LIMIT_MS;
      let answer = await askOnce(address, init, endsAt);
      if (answer.status >= 500 || answer.status === 429) {
        await pause(AGAIN_MS);
        answer = await askOnce(address, init, endsAt);
      }
      if (answer.end === "whole") return answer;
      throw new Error(answer.end === "too_large" ? `the answer is larger than ${MAX_BYTES} bytes` : answer.end);
    } catch (error) {
      throw new StorageError(`${init.method} ${address}: ${error instanceof Error ? error.message : error}`);
    }
  }
  const refused = (act: string, bucket: string, answer: { status: number; body: Buffer }) => {
    const code = /<Code>(\w{1,60})<\/Code>/.exec(answer.body.toString("utf8", 0, 4000))?.[1] ?? "no code";
    return new StorageError(
      `the store refused to ${act} in ${settings.bucketPrefix}${bucket}: ${answer.status} ${code}`,
    );
  };

  return {
    async put(bucket, key, bytes, about) {
      const headers = { "Content-Type": about.type, "Cache-Control": about.cacheControl };
      const answer = await ask(bucket, key, { method: "PUT", body: Uint8Array.from(bytes), headers });
      if (answer.status !== 200) throw refused("write", bucket, answer);
    },
    async find(bucket, key) {
      const answer = await ask(bucket, key, { method: "GET" });
      if (answer.status === 200) return answer.body;
      // A missing bucket is the operator's problem and not "no such file".
      if (answer.status === 404 && !answer.body.includes("NoSuchBucket")) return null;
      throw refused("read", bucket, answer);
    },
    async remove(bucket, key) {
      const answer = await ask(bucket, key, { method: "DELETE" });
      if (answer.status === 404 && !answer.body.includes("NoSuchBucket")) return;
      if (answer.status !== 204 && answer.status !== 200) throw refused("remove", bucket, answer);
    },
    // ListObjectsV2: https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html
    async *list(bucket) {
      let from: string | undefined;
      do {
        const query = new URLSearchParams({ "list-type": "2", ...(from === undefined ? {} : { "start-after": from }) });
        const answer = await ask(bucket, "", { method: "GET" }, `?${query}`);
        if (answer.status !== 200) throw refused("list", bucket, answer);
        const text = answer.body.toString("utf8");
        const files = [...text.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, about = ""]) => ({
          key: /<Key>([^<]*)<\/Key>/.exec(about)?.[1] ?? "",
          size: Number(/<Size>(\d+)<\/Size>/.exec(about)?.[1] ?? 0),
          changed_at: new Date(/<LastModified>([^<]*)<\/LastModified>/.exec(about)?.[1] ?? 0),
        }));
        yield files.filter(({ key }) => KEY.test(key));
        const last = files.at(-1)?.key;
        // Ends the loop with a store that never progresses.
        from = /<IsTruncated>true<\/IsTruncated>/.test(text) && last !== from ? last : undefined;
      } while (from !== undefined);
    },
  };
}
