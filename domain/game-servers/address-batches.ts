// Stores texts of addresses that admins paste, line by line; the job `address-batches` examines them; deleted after a week.
import { and, asc, count, desc, eq, inArray, isNull, lt, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { addressBatches, addressBatchLines } from "#db/schema/index.ts";
import type { Diagnosis } from "#shared/diagnosis.ts";
import { linesOf, readAddressLine } from "./address-lines.ts";

/** Most lines of a text, and of a batch. */
export const MOST_LINES = 200;
/** Most characters of a text. */
export const MOST_TEXT = 60_000;
const KEPT_DAYS = 7;
/** Lines examined concurrently, over all processes and batches; and per host. */
export const SIDE_BY_SIDE = 20;
const SIDE_BY_SIDE_AT_A_HOST = 6;
/** Longer than an examination takes: after this, another process takes over the line of a dead one. */
const CLAIM_S = 20;
/** A line whose examination died three times is left alone. */
const MOST_ATTEMPTS = 3;
const MOST_FINDINGS = 3;
/** The job's NOTIFY channel. */
export const ADDRESS_BATCHES_CHANNEL = "address_batches";

type Refused = { ok: false; reason: "empty" } | { ok: false; reason: "too_many"; lines: number };

/** Splits a text into lines to store; refuses it with none, or with more than `most`. */
function readText(text: string, most: number) {
  const lines = linesOf(text);
  if (lines.length === 0) return { ok: false, reason: "empty" } as const;
  // One line may contain several addresses; a text that is too long isn't parsed at all.
  const read = lines.length > most ? [] : lines.flatMap(readAddressLine);
  if (lines.length > most || read.length > most)
    return { ok: false, reason: "too_many", lines: Math.max(lines.length, read.length) } as const;
  const rows = read.map(({ typed, ...line }) => {
    if (!line.ok) return { typed, unread: line.reason };
    const { port, name: typed_name, password } = line;
    return { typed, host: line.host.toLowerCase().replace(/\.$/, ""), port, typed_name, password };
  });
  return { ok: true, rows } as const;
}

const wake = (tx: Db) => tx.execute(sql`select pg_notify(${ADDRESS_BATCHES_CHANNEL}, '')`);

/** Stores a new batch; examination starts at the commit. */
export async function startBatch(
  db: Db,
  userId: string,
  text: string,
): Promise<{ ok: true; batch_id: number } | Refused> {
  const read = readText(text, MOST_LINES);
  if (!read.ok) return read;
  return db.transaction(async (tx) => {
    const [batch] = await tx
      .insert(addressBatches)
      .values({ user_id: userId })
      .returning({ batch_id: addressBatches.batch_id });
    if (!batch) throw new Error("the batch was not inserted");
    await tx.insert(addressBatchLines).values(read.rows.map((row) => ({ ...row, ...batch, user_id: userId })));
    await wake(tx);
    return { ok: true as const, ...batch };
  });
}

/** Appends a text to a batch. `gone`: the batch no longer exists. */
export async function addToBatch(
  db: Db,
  userId: string,
  batchId: number,
  text: string,
): Promise<{ ok: true } | Refused | { ok: false; reason: "gone" }> {
  return db.transaction(async (tx) => {
    const [batch] = await tx.select().from(addressBatches).where(eq(addressBatches.batch_id, batchId)).for("update");
    if (!batch) return { ok: false, reason: "gone" };
    const there = await tx.$count(addressBatchLines, eq(addressBatchLines.batch_id, batchId));
    const read = readText(text, MOST_LINES - there);
    if (!read.ok) return read.reason === "too_many" ? { ...read, lines: read.lines + there } : read;
    await tx.insert(addressBatchLines).values(read.rows.map((row) => ({ ...row, batch_id: batchId, user_id: userId })));
    await wake(tx);
    return { ok: true };
  });
}

/** Finds a batch with its stored lines in order; null when there is none (any more). */
export async function findBatch(db: Db, batchId: number) {
  const [batch] = await db.select().from(addressBatches).where(eq(addressBatches.batch_id, batchId));
  if (!batch) return null;
  const lines = await db
    .select()
    .from(addressBatchLines)
    .where(eq(addressBatchLines.batch_id, batchId))
    .orderBy(asc(addressBatchLines.line_id));
  return { ...batch, lines };
}

/** True if the batch (still) exists. */
export const hasBatch = async (db: Db, batchId: number): Promise<boolean> =>
  (await db.$count(addressBatches, eq(addressBatches.batch_id, batchId))) > 0;

/** Lists an admin's batches with work left, newest first. */
export async function listUnfinishedBatches(db: Db, userId: string) {
  const rows = await db
    .select({
      batch_id: addressBatches.batch_id,
      created_at: addressBatches.created_at,
      lines: count(),
      first: sql<string>`(array_agg(${addressBatchLines.typed} order by ${addressBatchLines.line_id}))[1]`,
    })
    .from(addressBatches)
    .innerJoin(addressBatchLines, eq(addressBatchLines.batch_id, addressBatches.batch_id))
    .where(and(eq(addressBatches.user_id, userId), isNull(addressBatchLines.added_at)))
    .groupBy(addressBatches.batch_id)
    .orderBy(desc(addressBatches.batch_id))
    .limit(20);
  return rows.map(({ created_at, ...row }) => ({ ...row, created_at: created_at.toISOString() }));
}

/** An admin's choices for a line's suggestions. */
export type Choice = { line_id: number; chosen: boolean; game: string; name: string };

/** Saves the choices, so that a reload keeps them. Already added lines stay unchanged. */
export async function keepChoices(db: Db, batchId: number, choices: readonly Choice[]): Promise<void> {
  if (choices.length === 0) return;
  const column = (name: keyof Choice) => sql.param(choices.map((choice) => String(choice[name])));
  await db.execute(sql`
    update address_batch_lines as line
    set chosen = given.chosen::boolean, chosen_game = nullif(given.game, ''), chosen_name = given.name
    from unnest(${column("line_id")}::text[], ${column("chosen")}::text[], ${column("game")}::text[],
      ${column("name")}::text[]) as given (line_id, chosen, game, name)
    where line.line_id = given.line_id::int and line.batch_id = ${batchId} and line.added_at is null`);
}

/** Removes a line from a batch; null: all lines without a readable address. */
export async function removeLines(db: Db, batchId: number, lineId: number | null): Promise<void> {
  const which = lineId === null ? sql`${addressBatchLines.unread} is not null` : eq(addressBatchLines.line_id, lineId);
  await db.delete(addressBatchLines).where(and(eq(addressBatchLines.batch_id, batchId), which));
}

/** Deletes a batch; game servers created from it stay. */
export async function removeBatch(db: Db, batchId: number): Promise<void> {
  await db.delete(addressBatches).where(eq(addressBatches.batch_id, batchId));
}

/** Requeues lines that aren't added yet for examination, also as the game `askedAs` if given. */
export async function examineAgain(
  db: Db,
  batchId: number,
  lineIds: readonly number[],
  askedAs: string | null = null,
): Promise<void> {
  if (lineIds.length === 0) return;
  await db.transaction(async (tx) => {
    await tx
      .update(addressBatchLines)
      .set({ examined_at: null, diagnosis: null, claimed_until: null, attempts: 0, asked_as: askedAs, refused: null })
      .where(
        and(
          eq(addressBatchLines.batch_id, batchId),
          inArray(addressBatchLines.line_id, [...lineIds]),
          isNull(addressBatchLines.unread),
          isNull(addressBatchLines.added_at),
        ),
      );
    await wake(tx);
  });
}

/** A line for the caller to examine. */
export type ClaimedLine = { line_id: number; host: string; port: number | null; asked_as: string | null };

/**
 * Claims the next line, from the batch with the fewest in progress, so that a long text doesn't delay a short one. A duplicate of
 * an earlier line waits for that one. Null: nothing is due, or a limit is reached.
 */
export async function claimAddressLine(db: Db): Promise<ClaimedLine | null> {
  return db.transaction(async (tx) => {
    // One claim at a time over all processes, since the limits are counted.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('claim an address line', 0))`);
    await tx.execute(sql`
      update address_batch_lines set examined_at = now()
      where examined_at is null and unread is null and attempts >= ${MOST_ATTEMPTS} and claimed_until <= now()`);
    const {
      rows: [line],
    } = await tx.execute<ClaimedLine>(sql`
      with under_way as (
        select batch_id, host from address_batch_lines
        where examined_at is null and unread is null and claimed_until > now()
      )
      update address_batch_lines
      set claimed_until = now() + make_interval(secs => ${CLAIM_S}), attempts = attempts + 1
      where line_id = (
        select line_id from address_batch_lines as line
        where examined_at is null and unread is null and coalesce(claimed_until <= now(), true)
          and (select count(*) from under_way) < ${SIDE_BY_SIDE}
          and (select count(*) from under_way where under_way.host = line.host) < ${SIDE_BY_SIDE_AT_A_HOST}
          and not exists (
            select from address_batch_lines as earlier
            where earlier.batch_id = line.batch_id and earlier.line_id < line.line_id
              and earlier.host = line.host and earlier.port is not distinct from line.port
          )
        order by (select count(*) from under_way where under_way.batch_id = line.batch_id), batch_id, line_id
        limit 1
        for update skip locked
      )
      returning line_id, host, port, asked_as`);
    return line ?? null;
  });
}

/** Stores an examination's result, unless the line was removed or requeued meanwhile. */
export async function recordDiagnosis(db: Db, { line_id }: ClaimedLine, diagnosis: Diagnosis): Promise<void> {
  const { findings, causes, ways } = diagnosis;
  await db
    .update(addressBatchLines)
    .set({ examined_at: sql`now()`, diagnosis: { findings: findings.slice(0, MOST_FINDINGS), causes, ways } })
    .where(and(eq(addressBatchLines.line_id, line_id), sql`${addressBatchLines.claimed_until} is not null`));
}

/** Removes batches older than a week, finished or not. */
export async function sweepAddressBatches(db: Db): Promise<void> {
  await db
    .delete(addressBatches)
    .where(lt(addressBatches.created_at, sql`now() - make_interval(days => ${KEPT_DAYS})`));
}
