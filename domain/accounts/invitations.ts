// Invitation codes for registering when the site is by invitation only. A code is shown once and stored as a hash; each change and
// its audit row are one transaction.
import { createHash, randomInt } from "node:crypto";
import { and, desc, eq, gt, lt, or, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "#db/client.ts";
import { invitations } from "#db/schema/index.ts";
import { filledNumber, line } from "../form-text.ts";
import { type Actor, recordAudit } from "../site/audit.ts";

export const INVITATION_USES_MAX = 1000;
export const INVITATION_DAYS_MAX = 365;

/** An invitation as a form sends it. */
export const invitationShape = z.object({
  note: line(120),
  uses: filledNumber(1, INVITATION_USES_MAX),
  days: filledNumber(1, INVITATION_DAYS_MAX),
});

/** Omits letters and digits that look alike; 16 of 30 are 78 bits, too many to guess within the limits of sign-up. */
const LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ";
const CODE_LENGTH = 16;

/** Accepts any case and separators. */
const normalize = (code: string) => code.toUpperCase().replace(/[^0-9A-Z]/g, "");
const hashOf = (code: string) => createHash("sha256").update(normalize(code)).digest("base64url");

const good = (code: string) =>
  and(eq(invitations.code_hash, hashOf(code)), gt(invitations.uses_left, 0), gt(invitations.expires_at, sql`now()`));

/** Creates a code, `ABCD-EFGH-JKMN-PQRS`, for a number of accounts and days. */
export async function createInvitation(
  db: Db,
  actor: Actor,
  given: z.infer<typeof invitationShape>,
): Promise<{ code: string }> {
  const letters = Array.from({ length: CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");
  const code = letters.match(/.{4}/g)?.join("-") ?? letters;
  await db.transaction(async (tx) => {
    const [made] = await tx
      .insert(invitations)
      .values({
        code_hash: hashOf(code),
        note: given.note,
        uses_left: given.uses,
        expires_at: sql`now() + make_interval(days => ${given.days})`,
      })
      .returning({ invitation_id: invitations.invitation_id });
    await recordAudit(tx, {
      what: "invitation-made",
      actor_id: actor.user_id,
      origin: actor.origin,
      subject: { type: "invitation", id: String(made?.invitation_id) },
      details: { note: given.note, uses: given.uses, days: given.days },
    });
  });
  return { code };
}

/** Lists usable invitations, newest first. */
export function listInvitations(db: Db) {
  return db
    .select({
      invitation_id: invitations.invitation_id,
      note: invitations.note,
      uses_left: invitations.uses_left,
      expires_at: invitations.expires_at,
    })
    .from(invitations)
    .where(and(gt(invitations.uses_left, 0), gt(invitations.expires_at, sql`now()`)))
    .orderBy(desc(invitations.invitation_id));
}

/** Withdraws an invitation. False: there was none (any more). */
export async function removeInvitation(db: Db, actor: Actor, invitationId: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [gone] = await tx.delete(invitations).where(eq(invitations.invitation_id, invitationId)).returning();
    if (!gone) return false;
    await recordAudit(tx, {
      what: "invitation-removed",
      actor_id: actor.user_id,
      origin: actor.origin,
      subject: { type: "invitation", id: String(invitationId) },
      details: { note: gone.note },
    });
    return true;
  });
}

/** True if a code is valid; doesn't use it. */
export async function isInvitation(db: Db, code: string): Promise<boolean> {
  return (await db.$count(invitations, good(code))) > 0;
}

/** Uses a code once; of two requests for its last use, one gets false. */
export async function consumeInvitation(db: Db, code: string): Promise<boolean> {
  const used = await db
    .update(invitations)
    .set({ uses_left: sql`${invitations.uses_left} - 1` })
    .where(good(code))
    .returning({ invitation_id: invitations.invitation_id });
  return used.length > 0;
}

/** Removes invitations that are expired or used up. */
export async function sweepInvitations(db: Db): Promise<void> {
  await db.delete(invitations).where(or(lt(invitations.expires_at, sql`now()`), eq(invitations.uses_left, 0)));
}
