// Removes expired rows: sessions, unfinished second factors, one-time tokens, address changes, rate limits, old audit rows,
// unconfirmed accounts, IP blocks, invitations, API keys, messages archived long ago, pasted addresses.
import type { Db } from "#db/client.ts";
import { sweepApiKeys } from "#domain/accounts/api-keys.ts";
import { sweepEmailChanges } from "#domain/accounts/email-changes.ts";
import { sweepInvitations } from "#domain/accounts/invitations.ts";
import { sweepTokens } from "#domain/accounts/one-time-tokens.ts";
import { sweepBegunSecondFactors } from "#domain/accounts/second-factors.ts";
import { sweepSessions } from "#domain/accounts/sessions.ts";
import { sweepUnconfirmed } from "#domain/accounts/users.ts";
import { sweepAddressBatches } from "#domain/game-servers/address-batches.ts";
import { sweepContacts } from "#domain/inbox/inbox.ts";
import { sweepAudit } from "#domain/site/audit.ts";
import { sweepIpBlocks } from "#domain/site/ip-blocks.ts";

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
