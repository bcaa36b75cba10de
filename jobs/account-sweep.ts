// Removes what has ended: sessions, one-time tokens, changes of address, counted tries, old audit rows, accounts that nobody confirmed, blocks, invitations,
// API keys, messages that were archived long ago. Safe to run in every web process.
import type { Logger } from "pino";
import type { Db } from "#db/client.ts";
import { sweepContacts } from "#domain/inbox/inbox.ts";
import { sweepEmailChanges } from "#domain/members/email-changes.ts";
import { sweepUnconfirmed } from "#domain/members/users.ts";
import { sweepApiKeys } from "#domain/sign-in/api-keys.ts";
import { sweepInvitations } from "#domain/sign-in/invitations.ts";
import { sweepIpBlocks } from "#domain/sign-in/ip-blocks.ts";
import { sweepTokens } from "#domain/sign-in/one-time-tokens.ts";
import { sweepSessions } from "#domain/sign-in/sessions.ts";
import { sweepAudit } from "#domain/site/audit.ts";

const EVERY_MS = 10 * 60_000;

/** Starts it; the first round comes after ten minutes. */
export function startAccountSweep(db: Db, limits: { sweep(): Promise<unknown> }, log: Logger): { stop(): void } {
  const timer = setInterval(() => {
    Promise.all([
      sweepSessions(db),
      sweepTokens(db),
      sweepEmailChanges(db),
      sweepAudit(db),
      sweepUnconfirmed(db),
      sweepIpBlocks(db),
      sweepInvitations(db),
      sweepApiKeys(db),
      sweepContacts(db),
      limits.sweep(),
    ]).catch((error) => log.warn({ err: error }, "what has ended could not be removed; the next round tries again"));
  }, EVERY_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
