// A message to the people who run the site, by whichever way it came: limits first, then it is kept.
import type { z } from "zod";
import { type contactShape, createContact } from "#domain/inbox/contacts.ts";
import type { MailLocale } from "#domain/mails.ts";
import type { AppParts } from "../context.ts";
import { ofAddress, ofAll } from "../request/rate-limits.ts";
import type { Visit } from "../request/visit.ts";

const HOUR_S = 3600;
const OVERALL = { tries: 100, seconds: HOUR_S };

/** Keeps it and tells the operator. @returns the seconds to wait where too many were sent; null: it is kept. */
export async function receiveContact(
  { db, limits }: Pick<AppParts, "db" | "limits">,
  settings: { contacts_per_hour: number; contact_email: string },
  visit: Pick<Visit, "ip">,
  contact: z.infer<typeof contactShape>,
  locale: MailLocale,
): Promise<number | null> {
  const perAddress = { tries: settings.contacts_per_hour, seconds: HOUR_S };
  // One address after the other: what is refused to one person is not taken from everybody.
  const wait =
    (await limits.consume([ofAddress("contact", visit.ip, perAddress)])) ??
    (await limits.consume([ofAll("contact", OVERALL)]));
  if (wait === null) await createContact(db, contact, { locale, operatorEmail: settings.contact_email });
  return wait;
}
