/** The protocol between an outpost and its site at POST /api/outposts/work: shapes, limits and the signature (decision 040). */
import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { ADAPTER_IDS, isAsked } from "#shared/adapters.ts";
import { FAILURES } from "#shared/statuses.ts";
import { adapterOptions } from "../game-servers/adapter-options.ts";

export const WORK_PATH = "/api/outposts/work";
/** The header with the body's signature. */
export const SIGNATURE_HEADER = "X-Outpost-Signature";
/** A refusal's header with the nonce to sign the next report with. */
export const NONCE_HEADER = "X-Outpost-Nonce";

/** True for text in the format of an outpost's token; other text is never looked up. */
export const isOutpostToken = (text: string): boolean => /^spo_[\w-]{43}$/.test(text);

/** Results per request; an outpost with more sends the next request at once. */
export const MOST_RESULTS = 500;
/** Per request. A result takes some 150 bytes. */
export const MOST_REQUEST_BYTES = 128 * 1024;
/** Game servers per outpost. */
export const MOST_TARGETS = 20_000;
/** An older result says nothing about now, and isn't sent. */
export const MOST_AGE_MS = 60_000;

const id = z.int().min(1).max(2_147_483_647);
/** Identifies what is polled and how; created by the database. */
const targetKey = z.string().regex(/^[0-9a-f]{32}$/);
const port = z.int().min(1).max(65_535).nullable();

const result = z.strictObject({
  server_id: id,
  target_key: targetKey,
  /** Null: it answered. */
  failure: z.enum(FAILURES).nullable(),
  latency_ms: z.int().min(0).max(60_000).nullable(),
  /** Age of the poll, by a clock that never jumps. */
  age_ms: z.int().min(0).max(MOST_AGE_MS),
});

/** An outpost's request. */
export const workRequest = z.strictObject({
  version: z.string().regex(/^[\w.+-]{1,30}$/),
  /** The version of its target list; null: none yet. */
  list: z.string().max(64).nullable(),
  /** Its own clock, in ms since 1970: for display only. */
  date_ms: z.int(),
  /** Round trip of its previous request. */
  round_trip_ms: z.int().min(0).max(120_000).nullable(),
  results: z.array(result).max(MOST_RESULTS),
});
export type WorkRequest = z.infer<typeof workRequest>;
export type OutpostResult = z.infer<typeof result>;

const target = z.object({
  server_id: id,
  target_key: targetKey,
  adapter: z.enum(ADAPTER_IDS).refine(isAsked),
  host: z.string().min(1).max(253),
  game_port: port,
  query_port: port,
  options: adapterOptions,
  interval_ms: z.int().min(1_000).max(3_600_000),
});
export type OutpostTarget = z.infer<typeof target>;

/** The site's reply. Skips a target that this version can't read: the site may know more adapters. */
export const workReply = z.object({
  /** Signs the next results. */
  nonce: z.string().min(16).max(64),
  list: z.string().max(64),
  /** Null: its list is current. */
  targets: z
    .array(z.unknown())
    .max(MOST_TARGETS)
    .transform((targets) => targets.flatMap((one) => target.safeParse(one).data ?? []))
    .nullable(),
  /** Game servers that the site itself can't reach now, and how often to poll them meanwhile. */
  soon: z.array(z.object({ server_id: id, every_ms: z.int().min(1_000).max(3_600_000) })).max(MOST_TARGETS),
  next_ms: z.int().min(200).max(600_000),
});
export type WorkReply = z.infer<typeof workReply>;
/** As the site sends it. */
export type WorkReplySent = z.input<typeof workReply>;

/** HMAC-SHA256 (hex) of the body, by the token and the previous reply's nonce. */
export function signWork(token: string, nonce: string, body: string | Uint8Array): string {
  return createHmac("sha256", token).update(`${nonce}\n`).update(body).digest("hex");
}

/** True if `signature` matches the body. */
export function isSignedWork(signature: string | undefined, token: string, nonce: string, body: Uint8Array): boolean {
  const right = Buffer.from(signWork(token, nonce, body));
  const given = Buffer.from(signature ?? "");
  return given.length === right.length && timingSafeEqual(given, right);
}
