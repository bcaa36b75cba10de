// Operators' channels: lets admins create, revive and remove mailboxes and message services, and renew a webhook's secret. Each
// change and its audit row are one transaction.
import { and, asc, eq, isNotNull, isNull, max, sql } from "drizzle-orm";
import { z } from "zod";
import { LOCKS } from "#db/advisory-locks.ts";
import type { Db } from "#db/client.ts";
import {
  notificationDeliveries as deliveries,
  notificationRules,
  notificationTargets as targets,
} from "#db/schema/index.ts";
import type { Field, Service } from "#outside/channels/service.ts";
import { isServiceKind, SERVICE_KINDS, SERVICES, type ServiceKind } from "#outside/channels/services.ts";
import { makeWebhookSecret } from "#outside/channels/webhook.ts";
import { isMailAddress } from "#outside/mail.ts";
import { checkServiceAddress, createServiceAllow } from "#outside/service-address.ts";
import { fieldError } from "#shared/field-error-codes.ts";
import { filledLine, filledLines, line } from "../form-text.ts";
import type { MailLocale } from "../mails.ts";
import { type Actor, type AuditWhat, recordAudit } from "../site/audit.ts";
import { serviceMessage } from "./service-message.ts";
import { type ChannelKind, findTarget, findTargetById, registerTarget, type Target } from "./targets.ts";

export const CHANNEL_NAME_MAX = 60;
const URL_MAX = 1_000;
const FIELD_MAX = 200;
const MOST_CHANNELS = 50;
/** How long the old secret stays valid beside a renewed one. */
const OLD_SECRET_MS = 86_400_000;

/** The kinds that admins add here; Discord has a page of its own. */
export const OPERATOR_KINDS = ["mail", ...SERVICE_KINDS] as const;
export type OperatorKind = (typeof OPERATOR_KINDS)[number];

const MAILBOX_FIELDS: Service["fields"] = {
  to: { kind: "text", label: { en: "Email address", de: "E-Mail-Adresse" }, max: 254 },
};

const fieldsOf = (kind: OperatorKind): Service["fields"] => (kind === "mail" ? MAILBOX_FIELDS : SERVICES[kind].fields);

/** A service's name; null: a kind of ours, which the pages name in the reader's language. */
export const serviceName = (kind: string): string | null => (isServiceKind(kind) ? SERVICES[kind].name : null);

/** What the form for a new channel shows, in one language. `service`: null for email. */
export function channelForm(kind: OperatorKind, locale: MailLocale) {
  const { name, docs, help } = kind === "mail" ? { name: null, docs: null, help: null } : SERVICES[kind];
  return {
    service: name === null ? null : { name, docs, help: help[locale] },
    fields: Object.entries(fieldsOf(kind)).map(([field, { label, hint, kind: type, optional, max, ...rest }]) => ({
      name: field,
      type,
      label: label[locale],
      hint: hint?.[locale],
      optional: optional ?? false,
      initial: rest.default ?? "",
      max,
    })),
  };
}

/** A new channel as a form sends it: its name and the kind's fields. Errors: `missing`, `too_long`, `malformed`, `no_email`. */
export function channelShape(kind: OperatorKind) {
  const fields = Object.entries(fieldsOf(kind)).map(([name, field]) => [name, fieldShape(field)]);
  const shape = z.object({
    name: filledLine(CHANNEL_NAME_MAX),
    settings: z.object(Object.fromEntries(fields) as Record<string, z.ZodType<string>>),
  });
  return shape.superRefine(({ settings }, context) => {
    const wrong =
      kind === "mail" ? (isMailAddress(settings.to ?? "") ? null : "to") : (SERVICES[kind].check?.(settings) ?? null);
    if (wrong === null) return;
    const message = fieldError(kind === "mail" ? "no_email" : "malformed");
    context.addIssue({ code: "custom", path: ["settings", wrong], message });
  });
}

function fieldShape({ kind, optional, pattern, max }: Field): z.ZodType<string> {
  const most = max ?? (kind === "url" ? URL_MAX : FIELD_MAX);
  const text = kind === "lines" ? filledLines(most) : optional ? line(most) : filledLine(most);
  const isRight = (value: string): boolean =>
    (optional && value === "") || ((kind !== "url" || isWebAddress(value)) && (pattern?.test(value) ?? true));
  return text.refine(isRight, fieldError("malformed"));
}

const isWebAddress = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? "");

/** Operators' targets have a name and no user. */
const isOperators = and(isNull(targets.user_id), isNotNull(targets.name));

/** Private ranges that may be sent to, and ports that never may: the collector's rule. */
export type AddressRule = { allowCidrs: readonly string[]; deniedPorts: readonly number[] };

type NewChannel = { kind: OperatorKind; name: string; settings: Record<string, string>; locale: MailLocale };

/**
 * Creates a channel; `secret` is that of a webhook, to be shown once. `blocked`, `dns`: its address may not be sent to; `taken`: a
 * channel with these settings exists; `too_many`: there are fifty channels.
 */
export async function createChannel(
  db: Db,
  siteSecret: string,
  actor: Actor,
  { kind, name, settings, locale }: NewChannel,
  rule: AddressRule,
): Promise<
  | { ok: true; target_id: string; secret: string | null }
  | { ok: false; reason: "taken" | "too_many" | "blocked" | "dns" }
> {
  const failure = kind === "mail" ? null : await findBlocked(kind, settings, rule);
  if (failure) return { ok: false, reason: failure };
  const secret = kind === "webhook" ? makeWebhookSecret() : null;
  const address = { ...settings, ...(secret !== null && { secret }) };
  const identity = identityOf(kind, settings);
  const last4 = kind === "mail" ? (settings.to ?? "") : SERVICES[kind].shows(settings).slice(0, 100);
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${LOCKS.operatorChannels})`);
    if ((await tx.$count(targets, isOperators)) >= MOST_CHANNELS) return { ok: false, reason: "too_many" };
    if (await findTarget(tx, siteSecret, kind, identity)) return { ok: false, reason: "taken" };
    const made = await registerTarget(tx, siteSecret, { kind, identity, address, last4, name, locale });
    if (!made.ok) throw new Error(`a channel was not made: ${made.reason}`);
    await record(tx, actor, "notification-channel-made", made.target.target_id, { kind, name });
    return { ok: true, target_id: made.target.target_id, secret };
  });
}

/** Checks the address that messages would be sent to. */
async function findBlocked(kind: ServiceKind, settings: Record<string, string>, rule: AddressRule) {
  const test = serviceMessage({ delivery_id: "", event: null, telling: null }, "https://site.invalid");
  return checkServiceAddress(SERVICES[kind].request(settings, test).url, createServiceAllow(rule));
}

/** What makes a channel the same as another one. */
function identityOf(kind: OperatorKind, settings: Record<string, string>): string {
  if (kind === "mail") return (settings.to ?? "").toLowerCase();
  if (kind === "webhook") return new URL(settings.url ?? "").href;
  return JSON.stringify(Object.entries(settings).sort());
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
      kind: sql<ChannelKind>`${targets.kind}`,
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
