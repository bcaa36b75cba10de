// A message to the people who run the site, from the form or a program: the limits, then the message.
import type { z } from "zod";
import { type contactShape, createContact } from "#domain/inbox/contacts.ts";
import type { MailLocale } from "#domain/mails.ts";
import type { AppParts } from "../context.ts";
import { ofAccount, ofAddress, ofAll, type RateLimit } from "../request/rate-limits.ts";
import type { Visit } from "../request/visit.ts";

const HOUR_S = 3600;
/** An hour's messages that are mailed to the operator, of strangers and of members each. Those above are in the inbox alone. */
const MAILED = { tries: 100, seconds: HOUR_S };
/** An hour's messages of strangers that are stored: 10 MB at most. */
const STORED = { tries: 2_000, seconds: HOUR_S };

/**
 * Stores a message and notifies the operator. Members have budgets of their own, which strangers can't use up.
 * @param from `member`: who is logged in; null: a stranger
 * @returns the seconds to wait where too many were sent; null: the message is stored
 */
export async function receiveContact(
  { db, limits }: Pick<AppParts, "db" | "limits">,
  settings: { contacts_per_hour: number; contact_email: string },
  from: { visit: Pick<Visit, "ip">; member: { user_id: string } | null },
  contact: z.infer<typeof contactShape>,
  locale: MailLocale,
): Promise<number | null> {
  const { visit, member } = from;
  const own = { tries: settings.contacts_per_hour, seconds: HOUR_S };
  // One after the other: what is refused to one client is not taken from all others.
  const steps: RateLimit[][] = member
    ? [[ofAccount("contact", member.user_id, own)]]
    : [ofAddress("contact", visit.ip, own), [ofAll("contact-stored", STORED)]];
  for (const step of steps) {
    const wait = await limits.consume(step);
    if (wait !== null) return wait;
  }
  const isMailed = (await limits.consume([ofAll(member ? "contact-members" : "contact", MAILED)])) === null;
  await createContact(db, contact, { locale, operatorEmail: isMailed ? settings.contact_email : "" });
  return null;
}
