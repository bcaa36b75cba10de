/** Defines the parts of a backup: their names in order, the manifest and the summary. */
import { z } from "zod";
import { BUCKETS } from "#domain/media/buckets.ts";
import { BackupFileError } from "./tar-entries.ts";

/** Changes with the format, which other versions can't read. */
const FORMAT = 1;
/** Size of the parts of a table's rows. */
export const PART_BYTES = 4 * 1024 * 1024;
/** Largest file in a bucket; outside/object-storage.ts accepts no larger one. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Room for a line per part: a million files in the buckets. */
const MOST_SUMS_BYTES = 128 * 1024 * 1024;

export const MANIFEST = "manifest.json";
export const SUMMARY = "summary.json";
export const SUMS = "SHA256SUMS";

const identifier = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/);
const count = z.string().regex(/^\d{1,18}$/);

const manifestShape = z.strictObject({
  format: z.literal(FORMAT),
  id: z.uuid(),
  /** Time of the snapshot, by the database's clock. */
  made_at: z.iso.datetime({ offset: true }),
  software: z.string().max(60),
  /** SHA-256 of each migration of the database, in order. */
  migrations: z
    .array(z.string().regex(/^[0-9a-f]{64}$/))
    .min(1)
    .max(10_000),
  /** In an order that satisfies the foreign keys. */
  tables: z.array(z.strictObject({ name: identifier, columns: z.array(identifier).min(1).max(500) })).max(1000),
  /** Days with samples. */
  partitions: z.array(z.string().regex(/^gameserver_sample_\d{8}$/)).max(1000),
  /** Checks whether a secret is the one that sealed second factors, without revealing it. */
  secret_check: z.string().regex(/^[0-9a-f]{32}$/),
});

const summaryShape = z.strictObject({
  tables: z.array(z.strictObject({ name: identifier, rows: count, fingerprint: z.string().regex(/^-?\d{1,60}$/) })),
  sequences: z.array(
    z.strictObject({ table: identifier, column: identifier, last_value: count, is_called: z.boolean() }),
  ),
});

export type Manifest = z.infer<typeof manifestShape>;
export type Summary = z.infer<typeof summaryShape>;

/** Creates a manifest; adds the format's number. */
export const newManifest = (about: Omit<Manifest, "format">): Manifest =>
  manifestShape.parse({ format: FORMAT, ...about });

/** @throws {BackupFileError} */
export function readManifest(bytes: Buffer): Manifest {
  const value = readJson(bytes);
  const format = z.object({ format: z.int() }).safeParse(value);
  if (format.success && format.data.format > FORMAT) {
    throw new BackupFileError("it was made by a newer version of Spawnpoint. Restore it with that version");
  }
  const manifest = manifestShape.safeParse(value);
  if (!manifest.success) throw new BackupFileError("its manifest makes no sense");
  const names = manifest.data.tables.map(({ name }) => name);
  if (new Set(names).size !== names.length) throw new BackupFileError("its manifest names a table twice");
  return manifest.data;
}

/** @throws {BackupFileError} */
export function readSummary(bytes: Buffer, manifest: Manifest): Summary {
  const summary = summaryShape.safeParse(readJson(bytes));
  const named = manifest.tables.map(({ name }) => name).join();
  if (!summary.success || summary.data.tables.map(({ name }) => name).join() !== named) {
    throw new BackupFileError("its summary makes no sense");
  }
  return summary.data;
}

function readJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    throw new BackupFileError("it is damaged, or no backup of Spawnpoint");
  }
}

export type Part =
  | { kind: "manifest" | "summary" | "sums" }
  | { kind: "rows"; table: string; number: number }
  | { kind: "file"; bucket: string; key: string }
  | { kind: "secret"; name: string };

export const rowsName = (table: string, number: number) => `database/${table}/${String(number).padStart(6, "0")}.copy`;
export const fileName = (bucket: string, key: string) => `buckets/${bucket}/${key}`;
export const secretName = (name: string) => `secrets/${name}`;

/** Name of a secret, such as `auth`; can't be a path. */
export const SECRET_NAME = /^[a-z][a-z0-9-]{0,40}$/;

/** Parses a part's name. @throws {BackupFileError} for any other name: `../x`, `/etc/x`, `secrets/.x`. */
export function readPartName(name: string): Part {
  if (name === MANIFEST) return { kind: "manifest" };
  if (name === SUMMARY) return { kind: "summary" };
  if (name === SUMS) return { kind: "sums" };
  const rows = /^database\/([a-z_][a-z0-9_]{0,62})\/(\d{6,9})\.copy$/.exec(name);
  if (rows?.[1]) return { kind: "rows", table: rows[1], number: Number(rows[2]) };
  const file = /^buckets\/([a-z0-9-]{2,41})\/([a-z0-9][a-z0-9-]{0,100}(?:\.[a-z0-9]{1,10})?)$/.exec(name);
  if (file?.[1] && file[2] && BUCKETS.some((bucket) => bucket.name === file[1])) {
    return { kind: "file", bucket: file[1], key: file[2] };
  }
  const [, secret] = /^secrets\/(.+)$/.exec(name) ?? [];
  if (secret && SECRET_NAME.test(secret)) return { kind: "secret", name: secret };
  throw new BackupFileError(`${JSON.stringify(name)} is no part of a backup`);
}

/** Returns the most bytes of a part. @throws {BackupFileError} for any other name. */
export function partLimit(name: string): number {
  return readPartName(name).kind === "sums" ? MOST_SUMS_BYTES : MOST_BYTES;
}
