// Removes expired rows: sessions, unfinished second factors, one-time tokens, address changes, rate limits, old audit rows,
// unconfirmed accounts, IP blocks, invitations, API keys, messages archived long ago, pasted addresses.
import type { Db } from "#db/client.ts";
import { sweepAddressBatches } from "#domain/game-servers/address-batches.ts";
import { sweepContacts } from "#domain/inbox/inbox.ts";
import { sweepEmailChanges } from "#domain/members/email-changes.ts";
import { sweepUnconfirmed } from "#domain/members/users.ts";
import { sweepApiKeys } from "#domain/sign-in/api-keys.ts";
import { sweepInvitations } from "#domain/sign-in/invitations.ts";
import { sweepIpBlocks } from "#domain/sign-in/ip-blocks.ts";
import { sweepTokens } from "#domain/sign-in/one-time-tokens.ts";
import { sweepBegunSecondFactors } from "#domain/sign-in/second-factors.ts";
import { sweepSessions } from "#domain/sign-in/sessions.ts";
import { sweepAudit } from "#domain/site/audit.ts";

/** Any number of processes may run it at once. */
export async function sweepAccounts({ db, limits }: { db: Db; limits: { sweep(): Promise<unknown> } }): Promise<void> {
  await Promise.all([
    sweepSessions(db),
    sweepBegunSecondFactors(db),
    sweepTokens(db),
    sweepEmailChanges(db),
    sweepAudit(db),
    sweepUnconfirmed(db),
    sweepIpBlocks(db),
    sweepInvitations(db),
    sweepApiKeys(db),
    sweepContacts(db),
    sweepAddressBatches(db),
    limits.sweep(),
  ]);
}
