/**
 * Outposts: lets admins create and revoke them, and takes their reports. A token is shown once and stored as a hash; each change
 * and its audit row are one transaction.
 */
import { randomBytes } from "node:crypto";
import { and, asc, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { LOCKS } from "#db/advisory-locks.ts";
import type { Db } from "#db/client.ts";
import { outpostResults, outposts } from "#db/schema/index.ts";
import { hashToken } from "../accounts/sessions.ts";
import { filledLine } from "../form-text.ts";
import { type Actor, recordAudit } from "../site/audit.ts";
import type { TargetList } from "./targets.ts";
import { isOutpostToken, type OutpostResult, type WorkRequest } from "./wire.ts";

export const OUTPOST_NAME_MAX = 40;
/** Each one polls every game server: more would only load those. */
const MOST_OUTPOSTS = 20;

/** A new outpost as a form sends it. Errors: `missing`, `too_long`. */
export const outpostShape = z.object({ name: filledLine(OUTPOST_NAME_MAX) });

/** Creates an outpost and returns its token once. `taken`: the name exists; `too_many`: there are twenty. */
export async function createOutpost(
  db: Db,
  actor: Actor,
  given: z.infer<typeof outpostShape>,
): Promise<{ ok: true; token: string } | { ok: false; reason: "taken" | "too_many" }> {
  const token = `spo_${randomBytes(32).toString("base64url")}`;
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${LOCKS.outposts})`);
    if ((await tx.$count(outposts)) >= MOST_OUTPOSTS) return { ok: false, reason: "too_many" };
    const [made] = await tx
      .insert(outposts)
      .values({ name: given.name, token_hash: hashToken(token), created_by: actor.user_id })
      .onConflictDoNothing({ target: outposts.name })
      .returning({ outpost_id: outposts.outpost_id });
    if (!made) return { ok: false, reason: "taken" };
    await recordAudit(tx, {
      what: "outpost-made",
      actor_id: actor.user_id,
      origin: actor.origin,
      subject: { type: "outpost", id: String(made.outpost_id) },
      details: { name: given.name },
    });
    return { ok: true, token };
  });
}

/** Finds the name of an outpost; null when there is none. */
export async function findOutpostName(db: Db, outpostId: number): Promise<string | null> {
  const [found] = await db.select({ name: outposts.name }).from(outposts).where(eq(outposts.outpost_id, outpostId));
  return found?.name ?? null;
}

/**
 * Revokes an outpost after its name was typed: its token becomes invalid, and its results are deleted. `gone`: there is none;
 * `not_confirmed`: the name differs.
 */
export async function revokeOutpost(
  db: Db,
  actor: Actor,
  outpostId: number,
  confirm: string,
): Promise<{ ok: true } | { ok: false; reason: "gone" | "not_confirmed" }> {
  return db.transaction(async (tx) => {
    const [found] = await tx.select().from(outposts).where(eq(outposts.outpost_id, outpostId)).for("update");
    if (!found) return { ok: false, reason: "gone" };
    if (confirm.trim() !== found.name) return { ok: false, reason: "not_confirmed" };
    await tx.delete(outposts).where(eq(outposts.outpost_id, outpostId));
    await recordAudit(tx, {
      what: "outpost-revoked",
      actor_id: actor.user_id,
      origin: actor.origin,
      subject: { type: "outpost", id: String(outpostId) },
      details: { name: found.name },
    });
    return { ok: true };
  });
}

/** An authenticated outpost, with the nonce that must sign its results; null before its first report. */
export type KnownOutpost = { outpost_id: number; nonce: string | null };

/** Finds the outpost of a token; null if unknown or revoked. */
export async function findOutpost(db: Db, token: string): Promise<KnownOutpost | null> {
  if (!isOutpostToken(token)) return null;
  const [found] = await db
    .select({ outpost_id: outposts.outpost_id, nonce: outposts.nonce })
    .from(outposts)
    .where(eq(outposts.token_hash, hashToken(token)));
  return found ?? null;
}

export const makeNonce = (): string => randomBytes(18).toString("base64url");

/** Creates the nonce for an outpost's first report; null if it was revoked meanwhile. */
export async function startNonce(db: Db, outpostId: number): Promise<string | null> {
  const [own] = await db
    .update(outposts)
    .set({ nonce: sql`coalesce(${outposts.nonce}, ${makeNonce()})` })
    .where(eq(outposts.outpost_id, outpostId))
    .returning({ nonce: outposts.nonce });
  return own?.nonce ?? null;
}

/**
 * Stores a report: the outpost's state, and its results for game servers on its list. Returns the next nonce. Stores nothing and
 * returns "used" if another request used `outpost.nonce` meanwhile or the outpost was revoked.
 * @param report.waitedMs how long the report was in progress here before it was read
 */
export async function takeReport(
  db: Db,
  outpost: KnownOutpost,
  report: { request: WorkRequest; list: TargetList; nextNonce: string; waitedMs: number },
): Promise<"taken" | "used"> {
  const { request, list, nextNonce, waitedMs } = report;
  const { round_trip_ms, date_ms, version } = request;
  return db.transaction(async (tx) => {
    const [own] = await tx
      .update(outposts)
      .set({
        nonce: nextNonce,
        last_seen_at: sql`now()`,
        version,
        round_trip_ms,
        clock_offset_ms: sql`least(greatest(${date_ms}::float8 + ${waitedMs + (round_trip_ms ?? 0) / 2}::float8 - extract(epoch from clock_timestamp()) * 1000, -2147483647), 2147483647)::int`,
      })
      .where(
        and(
          eq(outposts.outpost_id, outpost.outpost_id),
          sql`${outposts.nonce} is not distinct from ${outpost.nonce}::text`,
        ),
      )
      .returning({ outpost_id: outposts.outpost_id });
    if (!own) return "used";
    await keepResults(tx, outpost.outpost_id, newestOf(request.results, list), waitedMs);
    return "taken";
  });
}

/** The newest result of each game server on the list. */
function newestOf(results: OutpostResult[], list: TargetList): OutpostResult[] {
  const newest = new Map<number, OutpostResult>();
  for (const result of results) {
    const { server_id, age_ms } = result;
    if (list.ids.has(server_id) && age_ms <= (newest.get(server_id)?.age_ms ?? age_ms)) newest.set(server_id, result);
  }
  // A fixed order prevents deadlocks.
  return [...newest.values()].sort((a, b) => a.server_id - b.server_id);
}

async function keepResults(tx: Db, outpostId: number, results: OutpostResult[], waitedMs: number): Promise<void> {
  if (results.length === 0) return;
  const column = <Name extends keyof OutpostResult>(name: Name) => sql.param(results.map((result) => result[name]));
  // Only for an unchanged address, and never an older result over a newer one.
  await tx.execute(sql`
    insert into ${outpostResults} as kept (outpost_id, server_id, target_key, ok, latency_ms, failure, asked_at)
    select ${outpostId}::int, given.server_id, given.target_key, given.failure is null,
      given.latency_ms, given.failure, now() - make_interval(secs => (given.age_ms + ${waitedMs}::float8) / 1000)
    from unnest(
      ${column("server_id")}::int[], ${column("target_key")}::text[], ${column("failure")}::text[],
      ${column("latency_ms")}::int[], ${column("age_ms")}::float8[]
    ) as given (server_id, target_key, failure, latency_ms, age_ms)
    join gameserver g on g.server_id = given.server_id and gameserver_target_key(g) = given.target_key
    order by given.server_id
    on conflict (outpost_id, server_id) do update set target_key = excluded.target_key, ok = excluded.ok,
      latency_ms = excluded.latency_ms, failure = excluded.failure, asked_at = excluded.asked_at
    where kept.asked_at <= excluded.asked_at`);
}

/** Lists the outposts for the admin area. */
export function listOutposts(db: Db) {
  return db
    .select({
      outpost_id: outposts.outpost_id,
      name: outposts.name,
      created_at: outposts.created_at,
      last_seen_at: outposts.last_seen_at,
      /** Has it reported within 30 seconds? By the database's clock. */
      reports: sql<boolean>`coalesce(${outposts.last_seen_at} > now() - interval '30 seconds', false)`,
      version: outposts.version,
      clock_offset_ms: outposts.clock_offset_ms,
      round_trip_ms: outposts.round_trip_ms,
      looks_at: sql<number>`(select count(*)::int from ${outpostResults} r where r.outpost_id = ${outposts}.outpost_id and r.asked_at > now() - interval '5 minutes')`,
    })
    .from(outposts)
    .orderBy(asc(outposts.name));
}
