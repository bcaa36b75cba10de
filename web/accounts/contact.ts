// Receives a message for the site's operator, from the form or a program: checks the limits, then stores it.
import type { z } from "zod";
import { type contactShape, createContact } from "#domain/inbox/contacts.ts";
import type { MailLocale } from "#domain/mails.ts";
import type { AppParts } from "../context.ts";
import { ofAccount, ofAddress, ofAll, type RateLimit } from "../request/rate-limits.ts";
import type { Visit } from "../request/visit.ts";

const HOUR_S = 3600;
/** The messages per hour that are mailed to the operator, of strangers and of members each. Further ones are only in the inbox. */
const MAILED = { tries: 100, seconds: HOUR_S };
/** The strangers' messages per hour that are stored: 10 MB at most. */
const STORED = { tries: 2_000, seconds: HOUR_S };

/**
 * Stores a message and notifies the operator. Members have their own budgets, which strangers can't use up.
 * @param from `member`: the logged-in member; null: a stranger
 * @returns the seconds to wait after too many messages; null: the message is stored
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
  // One after the other: a refused client's message doesn't spend the shared budget.
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
