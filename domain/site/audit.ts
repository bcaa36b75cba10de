// The audit log: who did what, to what, from where. Rows are only added, and removed after a year.
import { isDeepStrictEqual } from "node:util";
import { lt, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { type AuditDetails, auditEvents } from "#db/schema/index.ts";

/** Every kind of action that is recorded. */
export const AUDIT_WHATS = [
  "sign-in",
  "sign-in-failed",
  "sign-out",
  "sign-up",
  "email-verified",
  "email-change-asked",
  "email-change-cancelled",
  "email-changed",
  "password-changed",
  "password-reset-asked",
  "password-reset",
  "second-factor-on",
  "second-factor-off",
  "recovery-codes-made",
  "passkey-added",
  "passkey-removed",
  "discord-linked",
  "discord-unlinked",
  "oidc-linked",
  "oidc-unlinked",
  "session-ended",
  "profile-changed",
  "avatar-changed",
  "avatar-removed",
  "data-exported",
  "account-deactivated",
  "account-kept",
  "role-changed",
  "first-admin",
  "game-created",
  "game-updated",
  "game-removed",
  "games-ordered",
  "game-picture-changed",
  "media-removed",
  "news-created",
  "news-updated",
  "news-removed",
  "gameserver-created",
  "gameserver-updated",
  "gameserver-removed",
  "gameservers-ordered",
  "gameserver-token-made",
  "gameserver-token-removed",
  "member-banned",
  "member-unbanned",
  "member-sessions-ended",
  "second-factor-removed",
  "member-deleted",
  "address-blocked",
  "address-unblocked",
  "settings-changed",
  "contact-read",
  "contact-answered",
  "contact-archived",
  "contact-restored",
  "contact-extended",
  "contact-removed",
  "invitation-made",
  "invitation-removed",
  "api-key-made",
  "api-key-ended",
  "outpost-made",
  "outpost-revoked",
  "notification-channel-made",
  "notification-channel-removed",
  "notification-channel-revived",
  "notification-channel-tested",
  "discord-card-made",
  "discord-card-removed",
  "discord-card-renewed",
  "discord-commands-registered",
  "notification-secret-renewed",
  "notification-rule-made",
  "notification-rule-changed",
  "notification-rule-removed",
  "notification-sent-again",
  "plan-made",
  "plan-changed",
  "plan-ended",
  "plan-began",
  "incident-opened",
  "incident-changed",
  "incident-closed",
] as const;

export type AuditWhat = (typeof AUDIT_WHATS)[number];

/** Where a request came from. */
export type Origin = { ip: string; user_agent: string };

export type AuditEvent = {
  what: AuditWhat;
  /** The actor; null: no logged-in user. */
  actor_id: string | null;
  subject?: { type: string; id: string };
  origin?: Origin;
  details?: AuditDetails;
};

/** The acting user and the request's origin, as recorded with every admin action. */
export type Actor = { user_id: string; origin: Origin };

/** Adds a row; with a transaction as `db` it commits or rolls back with the action. */
export async function recordAudit(db: Db, event: AuditEvent): Promise<void> {
  await db.insert(auditEvents).values({
    what: event.what,
    actor_id: event.actor_id,
    subject_type: event.subject?.type,
    subject_id: event.subject?.id,
    ip: event.origin?.ip,
    user_agent: event.origin?.user_agent.slice(0, 400),
    details: event.details,
  });
}

/** Returns the fields that differ between two states, for an audit row's details; null if none do. */
export function changesBetween<T extends Record<string, NonNullable<AuditDetails["before"]>[string]>>(
  before: T,
  after: T,
): Required<Pick<AuditDetails, "before" | "after">> | null {
  const names = Object.keys(after).filter((name) => !isDeepStrictEqual(before[name], after[name]));
  if (names.length === 0) return null;
  const pick = (state: T) => Object.fromEntries(names.map((name) => [name, state[name] ?? null]));
  return { before: pick(before), after: pick(after) };
}

/** Removes rows older than a year; the table refuses to delete younger ones. */
export async function sweepAudit(db: Db): Promise<void> {
  await db.delete(auditEvents).where(lt(auditEvents.happened_at, sql`now() - interval '1 year'`));
}
