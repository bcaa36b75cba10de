// Where people and machines are told: registering, finding, pausing and ending the targets of deliveries.
import { createHash, createHmac } from "node:crypto";
import { and, eq, isNull, ne, sql } from "drizzle-orm";
import { LOCK_KINDS } from "#db/advisory-locks.ts";
import type { Db } from "#db/client.ts";
import { type CHANNELS, notificationTargets } from "#db/schema/index.ts";
import type { MailLocale } from "../mails.ts";
import { openSealed, seal, sealingKey } from "../site/sealing.ts";

export type ChannelKind = (typeof CHANNELS)[number];
export type TargetRow = typeof notificationTargets.$inferSelect;
/** What a target's address is made of: `{ endpoint, p256dh, auth }` of push, `{ url, … }` of a webhook, `{ to }` of mail. */
export type TargetAddress = Record<string, string>;
export type Target = Omit<TargetRow, "address_sealed" | "address_hash" | "created_from"> & {
  /** Null: the site's secret opens it not, or the account says where it is (a member's mailbox). */
  address: TargetAddress | null;
};

/** Targets that strangers may make from one network address. */
const MOST_FROM_ONE = 20;
/** A visitor's target whose browser was not seen for so long is gone. */
const UNSEEN_DAYS = 60;

const keyFrom = (siteSecret: string): Buffer => sealingKey(siteSecret, "targets of notifications");
const hashOf = (kind: ChannelKind, identity: string): string =>
  createHash("sha256").update(`${kind} ${identity}`).digest("base64url");

/** The target of a row, with its address opened. */
export function openTarget(siteSecret: string, row: TargetRow): Target {
  const { address_sealed, address_hash, created_from, ...rest } = row;
  const opened = address_sealed === null ? null : openSealed(keyFrom(siteSecret), `target ${row.kind}`, address_sealed);
  return { ...rest, address: opened === null ? null : (JSON.parse(opened) as TargetAddress) };
}

/** The same address under another secret of the site; null where `from` opens it not. */
export function resealAddress(from: string, to: string, kind: ChannelKind, sealed: string): string | null {
  const opened = openSealed(keyFrom(from), `target ${kind}`, sealed);
  return opened === null ? null : seal(keyFrom(to), `target ${kind}`, opened);
}

export type NewTarget = {
  kind: ChannelKind;
  /** What makes it this target and no other: the endpoint, the webhook's address. */
  identity: string;
  /** Sealed before it is written. */
  address: TargetAddress;
  locale: MailLocale;
  last4?: string;
  /** The member whose it is; a visitor's target that a member registers becomes theirs. */
  user_id?: string | null;
  /** Of operators' channels. */
  name?: string | null;
  /** The network address of a stranger, of which a hash is kept; absent: it does not count (operators). */
  from?: string | null;
  /** Of one that is there: whether whoever asks knows its secret part. Without it the address is simply renewed. */
  knows?(address: TargetAddress | null): boolean;
};

/**
 * Registers a target, or renews the one that is there (it lives again if it was dead).
 * `too_many`: of strangers from one network address. `not_theirs`: it is there, and `knows` says no.
 */
export function registerTarget(
  db: Db,
  siteSecret: string,
  given: NewTarget,
): Promise<{ ok: true; target: Target } | { ok: false; reason: "too_many" | "not_theirs" }> {
  const address_hash = hashOf(given.kind, given.identity);
  const created_from = given.from
    ? createHmac("sha256", siteSecret).update(`target from ${given.from}`).digest("base64url").slice(0, 22)
    : null;
  return db.transaction(async (tx) => {
    // Two at once from one address count one after the other, and two of one target find each other.
    await tx.execute(
      sql`select pg_advisory_xact_lock(${LOCK_KINDS.targets}::int, hashtext(${created_from ?? address_hash}))`,
    );
    const [there] = await tx
      .select()
      .from(notificationTargets)
      .where(eq(notificationTargets.address_hash, address_hash))
      .for("update");
    if (there && given.knows && !given.knows(openTarget(siteSecret, there).address)) {
      return { ok: false, reason: "not_theirs" };
    }
    if (!there && created_from) {
      const made = await tx.$count(
        notificationTargets,
        and(eq(notificationTargets.created_from, created_from), isNull(notificationTargets.dead_at)),
      );
      if (made >= MOST_FROM_ONE) return { ok: false, reason: "too_many" };
    }
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
      .values({ ...values, user_id: given.user_id ?? null, created_from })
      .onConflictDoUpdate({
        target: notificationTargets.address_hash,
        set: {
          ...values,
          user_id: sql`coalesce(${given.user_id ?? null}::uuid, ${notificationTargets.user_id})`,
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
 * Gives a target another address: a browser's subscription was renewed. What had that address before gives way, where `knows`
 * says that whoever asks knows its secret part. False: it is another's, or the target is gone.
 */
export function moveTarget(
  db: Db,
  siteSecret: string,
  targetId: string,
  to: Required<Pick<NewTarget, "kind" | "identity" | "address" | "knows">>,
): Promise<boolean> {
  const address_hash = hashOf(to.kind, to.identity);
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${LOCK_KINDS.targets}::int, hashtext(${address_hash}))`);
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

/** The mailbox of a member as a target: it goes to the account's confirmed address, whichever that is when it is sent. */
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

/** The target of an address (an endpoint), whosever it is; what the asker has to know of it is the caller's to compare. */
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

/** One by its id. */
export async function findTargetById(db: Db, siteSecret: string, targetId: string): Promise<Target | null> {
  const [row] = await db.select().from(notificationTargets).where(eq(notificationTargets.target_id, targetId));
  return row ? openTarget(siteSecret, row) : null;
}

/** A member's own targets, the newest first: devices and the mailbox. */
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

/** Notes that its browser was here. */
export async function markTargetSeen(db: Db, targetId: string): Promise<void> {
  await db
    .update(notificationTargets)
    .set({ last_seen_at: sql`now()` })
    .where(
      and(
        eq(notificationTargets.target_id, targetId),
        sql`${notificationTargets.last_seen_at} < now() - interval '1 hour'`,
      ),
    );
}

/** Ends a target, with everything that it follows and that waits for it. `userId`: only that member's. Whether there was one. */
export async function endTarget(db: Db, targetId: string, userId?: string): Promise<boolean> {
  const rows = await db
    .delete(notificationTargets)
    .where(
      and(eq(notificationTargets.target_id, targetId), userId ? eq(notificationTargets.user_id, userId) : undefined),
    )
    .returning({ target_id: notificationTargets.target_id });
  return rows.length === 1;
}

/** Removes visitors' targets that nobody has seen for 60 days. Operators' channels and members' own stay. */
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
