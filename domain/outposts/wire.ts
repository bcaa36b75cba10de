/** What an outpost and its site say to each other at POST /api/outposts/work: shapes, limits and the signature (decision 040). */
import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { ADAPTER_IDS, isAsked } from "#shared/adapters.ts";
import { FAILURES } from "#shared/statuses.ts";
import { adapterOptions } from "../game-servers/adapter-options.ts";

export const WORK_PATH = "/api/outposts/work";
/** The header with the signature of the body. */
export const SIGNATURE_HEADER = "X-Outpost-Signature";
/** The header of a refusal that tells which nonce the next report is to be signed with. */
export const NONCE_HEADER = "X-Outpost-Nonce";

/** Whether a text looks like a token of an outpost; no other text is looked up. */
export const isOutpostToken = (text: string): boolean => /^spo_[\w-]{43}$/.test(text);

/** Results of one request; whoever has more asks again at once. */
export const MOST_RESULTS = 500;
/** Of a request. A result takes some 150 bytes. */
export const MOST_REQUEST_BYTES = 128 * 1024;
/** Game servers that one outpost is handed. */
export const MOST_TARGETS = 20_000;
/** An older result says nothing of now, and is not sent. */
export const MOST_AGE_MS = 60_000;

const id = z.int().min(1).max(2_147_483_647);
/** Names what is asked and how; made by the database. */
const targetKey = z.string().regex(/^[0-9a-f]{32}$/);
const port = z.int().min(1).max(65_535).nullable();

const result = z.strictObject({
  server_id: id,
  target_key: targetKey,
  /** Null: it answered. */
  failure: z.enum(FAILURES).nullable(),
  latency_ms: z.int().min(0).max(60_000).nullable(),
  /** How long ago it was asked, by a clock that never jumps. */
  age_ms: z.int().min(0).max(MOST_AGE_MS),
});

/** What an outpost sends. */
export const workRequest = z.strictObject({
  version: z.string().regex(/^[\w.+-]{1,30}$/),
  /** The list of targets that it has; null: none yet. */
  list: z.string().max(64).nullable(),
  /** Its own date, in ms since 1970: only ever shown. */
  date_ms: z.int(),
  /** Of its request before this one. */
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

/** What it is answered. A target that this version cannot read is left out, not an error: the site may know more ways to ask. */
export const workReply = z.object({
  /** Signs the next results. */
  nonce: z.string().min(16).max(64),
  list: z.string().max(64),
  /** Null: the list that it has is the present one. */
  targets: z
    .array(z.unknown())
    .max(MOST_TARGETS)
    .transform((targets) => targets.flatMap((one) => target.safeParse(one).data ?? []))
    .nullable(),
  /** Game servers that the site itself does not reach now, and how often to ask them meanwhile. */
  soon: z.array(z.object({ server_id: id, every_ms: z.int().min(1_000).max(3_600_000) })).max(MOST_TARGETS),
  next_ms: z.int().min(200).max(600_000),
});
export type WorkReply = z.infer<typeof workReply>;
/** As the site sends it. */
export type WorkReplySent = z.input<typeof workReply>;

/** HMAC-SHA256 (hex) of the body, by the token and the nonce of the reply before. */
export function signWork(token: string, nonce: string, body: string | Uint8Array): string {
  return createHmac("sha256", token).update(`${nonce}\n`).update(body).digest("hex");
}

/** Whether `signature` is the one of this body. */
export function isSignedWork(signature: string | undefined, token: string, nonce: string, body: Uint8Array): boolean {
  const right = Buffer.from(signWork(token, nonce, body));
  const given = Buffer.from(signature ?? "");
  return given.length === right.length && timingSafeEqual(given, right);
}
