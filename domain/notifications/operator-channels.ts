// Operators' channels: lets admins create, renew, revive and remove signed webhooks and mailboxes outside of accounts. A webhook's
// secret is shown once; each change and its audit row are one transaction.
import { and, asc, eq, isNotNull, isNull, max, sql } from "drizzle-orm";
import { z } from "zod";
import { LOCKS } from "#db/advisory-locks.ts";
import type { Db } from "#db/client.ts";
import {
  notificationDeliveries as deliveries,
  notificationRules,
  notificationTargets as targets,
} from "#db/schema/index.ts";
import { createCheckedPost } from "#outside/checked-post.ts";
import { isMailAddress } from "#outside/mail.ts";
import { makeWebhookSecret } from "#outside/webhook.ts";
import { fieldError } from "#shared/field-error-codes.ts";
import { filledLine } from "../form-text.ts";
import type { MailLocale } from "../mails.ts";
import { type Actor, type AuditWhat, recordAudit } from "../site/audit.ts";
import { findTarget, findTargetById, registerTarget, type Target, type TargetAddress } from "./targets.ts";

export const CHANNEL_NAME_MAX = 60;
const URL_MAX = 1_000;
const MOST_CHANNELS = 50;
/** How long the old secret stays valid beside a renewed one. */
const OLD_SECRET_MS = 86_400_000;

/** A new webhook as a form sends it. Errors: `missing`, `too_long`. */
export const webhookShape = z.object({ name: filledLine(CHANNEL_NAME_MAX), url: filledLine(URL_MAX) });

/** A new mailbox as a form sends it. Errors: `missing`, `too_long`, `no_email`. */
export const mailChannelShape = z.object({
  name: filledLine(CHANNEL_NAME_MAX),
  to: filledLine(254).refine(isMailAddress, fieldError("no_email")),
});

/** Operators' targets have a name and no user. */
const isOperators = and(isNull(targets.user_id), isNotNull(targets.name));

/** The secrets that sign a webhook's messages now. */
export const secretsOf = ({ secret = "", old_secret, old_until }: TargetAddress, now = Date.now()): string[] =>
  old_secret && old_until && Date.parse(old_until) > now ? [secret, old_secret] : [secret];

/** Private ranges that may be sent to, and ports that never may: the collector's rule. */
export type AddressRule = { allowCidrs: readonly string[]; deniedPorts: readonly number[] };

type NotMade = { ok: false; reason: "taken" | "too_many" };

/**
 * Creates a webhook. `blocked`, `dns`: its address may not be sent to; `taken`: it exists; `too_many`: there are fifty channels.
 */
export async function createWebhook(
  db: Db,
  siteSecret: string,
  actor: Actor,
  given: z.infer<typeof webhookShape> & { locale: MailLocale },
  rule: AddressRule,
): Promise<{ ok: true; secret: string } | NotMade | { ok: false; reason: "blocked" | "dns" }> {
  const failure = await createCheckedPost(rule).check(given.url);
  if (failure) return { ok: false, reason: failure };
  const url = new URL(given.url).href;
  const secret = makeWebhookSecret();
  const made = await makeChannel(db, siteSecret, actor, {
    kind: "webhook",
    identity: url,
    address: { url, secret },
    // Admins recognise it by its host; the path may itself be a secret.
    last4: new URL(url).host.slice(0, 100),
    name: given.name,
    locale: given.locale,
  });
  return made.ok ? { ok: true, secret } : made;
}

/** Creates a mailbox. `taken`: it exists; `too_many`: there are fifty channels. */
export function createMailChannel(
  db: Db,
  siteSecret: string,
  actor: Actor,
  { name, to, locale }: z.infer<typeof mailChannelShape> & { locale: MailLocale },
): Promise<{ ok: true } | NotMade> {
  const identity = to.toLowerCase();
  return makeChannel(db, siteSecret, actor, { kind: "mail", identity, address: { to }, last4: to, name, locale });
}

type Made = {
  kind: "webhook" | "mail";
  identity: string;
  address: TargetAddress;
  last4: string;
  name: string;
  locale: MailLocale;
};

function makeChannel(db: Db, siteSecret: string, actor: Actor, given: Made): Promise<{ ok: true } | NotMade> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${LOCKS.operatorChannels})`);
    if ((await tx.$count(targets, isOperators)) >= MOST_CHANNELS) return { ok: false, reason: "too_many" };
    if (await findTarget(tx, siteSecret, given.kind, given.identity)) return { ok: false, reason: "taken" };
    const made = await registerTarget(tx, siteSecret, given);
    if (!made.ok) throw new Error(`a channel was not made: ${made.reason}`);
    await record(tx, actor, "notification-channel-made", made.target.target_id, { kind: given.kind, name: given.name });
    return { ok: true };
  });
}

/** Renews a webhook's secret and returns it once; the old one stays valid for a day. Null: there is no such webhook. */
export function renewWebhookSecret(db: Db, siteSecret: string, actor: Actor, targetId: string): Promise<string | null> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${LOCKS.operatorChannels})`);
    const target = await findTargetById(tx, siteSecret, targetId);
    if (target?.kind !== "webhook" || target.name === null || !target.address?.url) return null;
    const { url, secret: old_secret = "" } = target.address;
    const secret = makeWebhookSecret();
    const old_until = new Date(Date.now() + OLD_SECRET_MS).toISOString();
    const { kind, name, locale, last4 } = target;
    const address = { url, secret, old_secret, old_until };
    await registerTarget(tx, siteSecret, { kind, identity: url, address, last4, name, locale });
    await record(tx, actor, "notification-secret-renewed", targetId, { name });
    return secret;
  });
}

/** Resumes sending to a stopped channel. False: there is no such channel. */
export function reviveChannel(db: Db, actor: Actor, targetId: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [row] = await tx
      .update(targets)
      .set({ dead_at: null, failing_since: null, not_before: null, last_error: null })
      .where(and(eq(targets.target_id, targetId), isOperators))
      .returning({ name: targets.name });
    if (!row) return false;
    await record(tx, actor, "notification-channel-revived", targetId, { name: row.name });
    return true;
  });
}

/**
 * Removes a channel, its rules and waiting deliveries, after its name was typed. `gone`: there is none; `not_confirmed`: the name
 * differs.
 */
export async function removeChannel(
  db: Db,
  actor: Actor,
  targetId: string,
  confirm: string,
): Promise<{ ok: true } | { ok: false; reason: "gone" | "not_confirmed" }> {
  if (!z.uuid().safeParse(targetId).success) return { ok: false, reason: "gone" };
  return db.transaction(async (tx) => {
    const [row] = await tx
      .select({ name: targets.name, kind: targets.kind })
      .from(targets)
      .where(and(eq(targets.target_id, targetId), isOperators))
      .for("update");
    if (!row) return { ok: false, reason: "gone" };
    if (confirm.trim() !== row.name) return { ok: false, reason: "not_confirmed" };
    await tx.delete(targets).where(eq(targets.target_id, targetId));
    await record(tx, actor, "notification-channel-removed", targetId, row);
    return { ok: true };
  });
}

/** Finds an operators' channel by id; null: there is none. */
export async function findChannel(
  db: Db,
  siteSecret: string,
  targetId: string,
): Promise<(Target & { name: string }) | null> {
  if (!z.uuid().safeParse(targetId).success) return null;
  const found = await findTargetById(db, siteSecret, targetId);
  return found && found.user_id === null && found.name !== null ? { ...found, name: found.name } : null;
}

/** Audits an admin's test of a channel and whether it was accepted. */
export const recordChannelTest = (db: Db, actor: Actor, { target_id, name }: Target, taken: boolean): Promise<void> =>
  record(db, actor, "notification-channel-tested", target_id, { name, taken: taken ? "yes" : "no" });

/** Audits a change of a channel, in its transaction. */
function record(
  tx: Db,
  actor: Actor,
  what: Extract<AuditWhat, `notification-${string}`>,
  id: string,
  details: Record<string, string | null>,
): Promise<void> {
  const subject = { type: "notification-channel", id };
  return recordAudit(tx, { what, actor_id: actor.user_id, origin: actor.origin, subject, details });
}

/** Lists the channels by name for the admin area. `last_sent_at`: null until something was sent to the channel. */
export function listChannels(db: Db) {
  const lastSent = db
    .select({ at: max(deliveries.sent_at) })
    .from(deliveries)
    .where(eq(deliveries.target_id, targets.target_id));
  return db
    .select({
      target_id: targets.target_id,
      kind: targets.kind,
      name: sql<string>`${targets.name}`,
      last4: targets.last4,
      failing_since: targets.failing_since,
      dead_at: targets.dead_at,
      last_error: targets.last_error,
      rules: db.$count(notificationRules, eq(notificationRules.target_id, targets.target_id)),
      last_sent_at: sql<Date | null>`(${lastSent})`.mapWith(deliveries.sent_at),
    })
    .from(targets)
    .where(isOperators)
    .orderBy(asc(sql`lower(${targets.name})`), asc(targets.target_id));
}
