// Registers, finds, pauses and ends the targets of deliveries to people and machines.
import { createHash, createHmac } from "node:crypto";
import { and, eq, isNull, ne, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { LOCK_KINDS } from "#db/advisory-locks.ts";
import type { Db } from "#db/client.ts";
import { notificationTargets } from "#db/schema/index.ts";
import type { ServiceKind } from "#outside/channels/services.ts";
import type { MailLocale } from "../mails.ts";
import { openSealed, seal, sealingKey } from "../site/sealing.ts";

export type ChannelKind = "push" | "mail" | "discord" | ServiceKind;
export type TargetRow = typeof notificationTargets.$inferSelect;
/** The parts of an address: `{ endpoint, p256dh, auth }` of push, `{ to }` of mail, the settings of a service. */
export type TargetAddress = Record<string, string>;
/** Columns used only in this file. */
type Internal = "address_sealed" | "address_hash" | "created_from" | "created_from_network" | "browser_hash";
export type Target = Omit<TargetRow, Internal | "kind"> & {
  kind: ChannelKind;
  /** Null: the site's secret can't open it, or the account has it (a member's mailbox). */
  address: TargetAddress | null;
};

/** Limits of visitors' push targets: per client address, per network around it, and in total. */
const MOST_FROM_ONE = 20;
const MOST_FROM_NETWORK = 200;
const MOST_OF_STRANGERS = 50_000;
/** Browsers per member. */
const MOST_OF_MEMBER = 20;
/** A visitor's target is removed once its browser wasn't seen for this long. */
const UNSEEN_DAYS = 60;

const keyFrom = (siteSecret: string): Buffer => sealingKey(siteSecret, "targets of notifications");
const hashOf = (kind: ChannelKind, identity: string): string =>
  createHash("sha256").update(`${kind} ${identity}`).digest("base64url");

/** Opens a row's address. */
export function openTarget(siteSecret: string, row: TargetRow): Target {
  const { address_sealed, address_hash, created_from, created_from_network, browser_hash, ...rest } = row;
  const opened = address_sealed === null ? null : openSealed(keyFrom(siteSecret), `target ${row.kind}`, address_sealed);
  return {
    ...rest,
    kind: row.kind as ChannelKind,
    address: opened === null ? null : (JSON.parse(opened) as TargetAddress),
  };
}

/** Reseals an address with another site secret; null if `from` can't open it. */
export function resealAddress(from: string, to: string, kind: string, sealed: string): string | null {
  const opened = openSealed(keyFrom(from), `target ${kind}`, sealed);
  return opened === null ? null : seal(keyFrom(to), `target ${kind}`, opened);
}

export type NewTarget = {
  kind: ChannelKind;
  /** The target's unique value: the endpoint, the webhook's address. */
  identity: string;
  /** Sealed before it is stored. */
  address: TargetAddress;
  locale: MailLocale;
  last4?: string;
  /** The owning member. A visitor's target becomes theirs; another member's is deleted with its follows. */
  user_id?: string | null;
  /** The member's browser, by the hash of its device cookie. */
  browser?: string | null;
  /** Of operators' channels. */
  name?: string | null;
  /** Where the request came from, stored as hashes; null: clients can't be told apart. */
  from?: { client: string; network: string } | null;
  /** For an existing target: does the client know its secret part? Without this check the address is simply renewed. */
  knows?(address: TargetAddress | null): boolean;
};

/**
 * Registers a target, or renews an existing one (reviving a dead one). `too_many`: the member has twenty browsers, or visitors'
 * limit for this address or network is reached. `full`: visitors' total limit is reached. `not_theirs`: it exists, and `knows`
 * returns false.
 */
export function registerTarget(
  db: Db,
  siteSecret: string,
  given: NewTarget,
): Promise<{ ok: true; target: Target } | { ok: false; reason: "too_many" | "full" | "not_theirs" }> {
  const address_hash = hashOf(given.kind, given.identity);
  const hashOfOrigin = (origin: string | undefined) =>
    origin ? createHmac("sha256", siteSecret).update(`target from ${origin}`).digest("base64url").slice(0, 22) : null;
  const origin = {
    created_from: hashOfOrigin(given.from?.client),
    created_from_network: hashOfOrigin(given.from?.network),
  };
  return db.transaction(async (tx) => {
    await lock(tx, address_hash);
    const [there] = await tx
      .select()
      .from(notificationTargets)
      .where(eq(notificationTargets.address_hash, address_hash))
      .for("update");
    if (there && given.knows && !given.knows(openTarget(siteSecret, there).address)) {
      return { ok: false, reason: "not_theirs" };
    }
    const refused = given.kind === "push" && (await findRefusal(tx, there ?? null, given.user_id ?? null, origin));
    if (refused) return { ok: false, reason: refused };
    const isTaken = !!there?.user_id && !!given.user_id && there.user_id !== given.user_id;
    if (isTaken) await tx.delete(notificationTargets).where(eq(notificationTargets.target_id, there.target_id));
    const values = {
      kind: given.kind,
      address_hash,
      address_sealed: seal(keyFrom(siteSecret), `target ${given.kind}`, JSON.stringify(given.address)),
      last4: given.last4 ?? "",
      locale: given.locale,
      name: given.name ?? null,
    };
    const [row] = await tx
      .insert(notificationTargets)
      .values({ ...values, user_id: given.user_id ?? null, browser_hash: given.browser ?? null, ...origin })
      .onConflictDoUpdate({
        target: notificationTargets.address_hash,
        set: {
          ...values,
          user_id: sql`coalesce(${given.user_id ?? null}::uuid, ${notificationTargets.user_id})`,
          browser_hash: sql`coalesce(${given.browser ?? null}::text, ${notificationTargets.browser_hash})`,
          last_seen_at: sql`now()`,
          dead_at: null,
          failing_since: null,
          last_error: null,
        },
      })
      .returning();
    if (!row) throw new Error("a target was neither written nor found");
    return { ok: true, target: openTarget(siteSecret, row) };
  });
}

/**
 * Makes transactions about the same address, or the same limit, wait for each other until the first one ends. Always lock the
 * address first and a limit second, and nothing after a limit: then no two wait for each other.
 */
const lock = (tx: Db, what: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(${LOCK_KINDS.targets}::int, hashtext(${what}))`);

/** Returns why a browser can't be registered, or null where it can. Locks the limit that it counts for. */
async function findRefusal(
  tx: Db,
  there: Pick<TargetRow, "user_id"> | null,
  userId: string | null,
  { created_from, created_from_network }: Pick<TargetRow, "created_from" | "created_from_network">,
): Promise<"too_many" | "full" | null> {
  const { kind, user_id } = notificationTargets;
  const count = (of: SQL) => tx.$count(notificationTargets, and(eq(kind, "push"), of));
  if (userId !== null) {
    if (there?.user_id === userId) return null;
    await lock(tx, `member ${userId}`);
    return (await count(eq(user_id, userId))) >= MOST_OF_MEMBER ? "too_many" : null;
  }
  if (there) return null;
  await lock(tx, "strangers");
  const ofStrangers = (column: PgColumn, value: string) => count(sql`${user_id} is null and ${column} = ${value}`);
  if (created_from && (await ofStrangers(notificationTargets.created_from, created_from)) >= MOST_FROM_ONE)
    return "too_many";
  if (
    created_from_network &&
    (await ofStrangers(notificationTargets.created_from_network, created_from_network)) >= MOST_FROM_NETWORK
  )
    return "too_many";
  return (await count(isNull(user_id))) >= MOST_OF_STRANGERS ? "full" : null;
}

/**
 * Changes a target's address after a browser renewed its subscription. Replaces the target that had that address, if `knows`
 * accepts the client. False: it belongs to another, or the target is gone.
 */
export function moveTarget(
  db: Db,
  siteSecret: string,
  targetId: string,
  to: Required<Pick<NewTarget, "kind" | "identity" | "address" | "knows">>,
): Promise<boolean> {
  const address_hash = hashOf(to.kind, to.identity);
  return db.transaction(async (tx) => {
    await lock(tx, address_hash);
    const [there] = await tx
      .select()
      .from(notificationTargets)
      .where(and(eq(notificationTargets.address_hash, address_hash), ne(notificationTargets.target_id, targetId)))
      .for("update");
    if (there && !to.knows(openTarget(siteSecret, there).address)) return false;
    if (there) await tx.delete(notificationTargets).where(eq(notificationTargets.target_id, there.target_id));
    const moved = await tx
      .update(notificationTargets)
      .set({
        address_hash,
        address_sealed: seal(keyFrom(siteSecret), `target ${to.kind}`, JSON.stringify(to.address)),
        last_seen_at: sql`now()`,
        dead_at: null,
        failing_since: null,
        last_error: null,
      })
      .where(eq(notificationTargets.target_id, targetId))
      .returning({ target_id: notificationTargets.target_id });
    return moved.length === 1;
  });
}

/** Registers a member's mailbox as a target: it sends to the account's confirmed address at the time of sending. */
export async function registerMailbox(db: Db, userId: string, locale: MailLocale): Promise<string> {
  const [row] = await db
    .insert(notificationTargets)
    .values({ kind: "mail", user_id: userId, address_hash: hashOf("mail", `account ${userId}`), locale })
    .onConflictDoUpdate({
      target: notificationTargets.address_hash,
      set: { locale, last_seen_at: sql`now()`, dead_at: null, failing_since: null },
    })
    .returning({ target_id: notificationTargets.target_id });
  if (!row) throw new Error("a mailbox was neither written nor found");
  return row.target_id;
}

/** Finds the target of an address (an endpoint), of any owner; the caller verifies the client's secret part. */
export async function findTarget(
  db: Db,
  siteSecret: string,
  kind: ChannelKind,
  identity: string,
): Promise<Target | null> {
  const [row] = await db
    .select()
    .from(notificationTargets)
    .where(eq(notificationTargets.address_hash, hashOf(kind, identity)));
  return row ? openTarget(siteSecret, row) : null;
}

/** Finds a target by id. */
export async function findTargetById(db: Db, siteSecret: string, targetId: string): Promise<Target | null> {
  const [row] = await db.select().from(notificationTargets).where(eq(notificationTargets.target_id, targetId));
  return row ? openTarget(siteSecret, row) : null;
}

/** Lists a member's own targets, newest first: devices and the mailbox. */
export async function listTargets(db: Db, userId: string) {
  return db
    .select({
      target_id: notificationTargets.target_id,
      kind: notificationTargets.kind,
      last4: notificationTargets.last4,
      created_at: notificationTargets.created_at,
      last_seen_at: notificationTargets.last_seen_at,
      dead_at: notificationTargets.dead_at,
    })
    .from(notificationTargets)
    .where(eq(notificationTargets.user_id, userId))
    .orderBy(sql`${notificationTargets.created_at} desc`);
}

/** Records that a target's browser was seen, and which browser it is if its member is logged in there (null: unknown). */
export async function markTargetSeen(db: Db, targetId: string, browser: string | null): Promise<void> {
  const known = sql`coalesce(${browser}::text, ${notificationTargets.browser_hash})`;
  await db
    .update(notificationTargets)
    .set({ last_seen_at: sql`now()`, browser_hash: known })
    .where(
      and(
        eq(notificationTargets.target_id, targetId),
        sql`(${notificationTargets.last_seen_at} < now() - interval '1 hour'
          or ${notificationTargets.browser_hash} is distinct from ${known})`,
      ),
    );
}

/**
 * Removes a target with its follows and waiting deliveries. `userId`: only if that member owns it. Returns whether there was one.
 */
export async function endTarget(db: Db, targetId: string, userId?: string): Promise<boolean> {
  const rows = await db
    .delete(notificationTargets)
    .where(
      and(eq(notificationTargets.target_id, targetId), userId ? eq(notificationTargets.user_id, userId) : undefined),
    )
    .returning({ target_id: notificationTargets.target_id });
  return rows.length === 1;
}

/** Removes visitors' targets unseen for 60 days. Operators' channels and members' own stay. */
export async function removeUnseenTargets(db: Db): Promise<void> {
  await db
    .delete(notificationTargets)
    .where(
      and(
        eq(notificationTargets.kind, "push"),
        isNull(notificationTargets.user_id),
        sql`${notificationTargets.last_seen_at} < now() - ${UNSEEN_DAYS} * interval '1 day'`,
      ),
    );
}
