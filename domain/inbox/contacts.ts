// Messages by the contact form: stored, and sent on to the operator.
import { z } from "zod";
import type { Db } from "#db/client.ts";
import { contacts, REQUEST_KINDS, REQUEST_REGIONS } from "#db/schema/contacts.ts";
import { isMailAddress } from "#outside/mail.ts";
import { type MailLocale, queueMail } from "../mails.ts";

export const CONTACT_LIMITS = { name: 80, email: 254, message: 5000 };

/** Control characters and those that turn or hide text; line breaks and tabs of a message stay. */
const HIDDEN = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069\u2028\u2029\ufeff]/gu;

const text = (most: number) =>
  z
    .string("missing")
    .transform((value) => value.replaceAll("\r\n", "\n").replace(HIDDEN, "").trim())
    // Counted like the database does, not in UTF-16.
    .refine((value) => value !== "", { error: "missing", abort: true })
    .refine((value) => [...value].length <= most, "too_long");

/** A message as a form sends it: an error's text is `missing`, `too_long` or `no_address`. */
export const contactShape = z.object({
  name: text(CONTACT_LIMITS.name).transform((value) => value.replace(/\s+/g, " ")),
  email: text(CONTACT_LIMITS.email).refine((value) => z.email().safeParse(value).success && isMailAddress(value), {
    error: "no_address",
  }),
  message: text(CONTACT_LIMITS.message),
  /** Given only where the sender marked the message as a privacy request. */
  request: z.object({ kind: z.enum(REQUEST_KINDS, "missing"), region: z.enum(REQUEST_REGIONS, "missing") }).nullable(),
});

/** Stores a message and, where the operator has given an address, queues it as a mail: both or neither. */
export async function createContact(
  db: Db,
  contact: z.infer<typeof contactShape>,
  options: { locale: MailLocale; operatorEmail: string },
): Promise<void> {
  const { name, email, message, request } = contact;
  const marks = { request_kind: request?.kind ?? null, request_region: request?.region ?? null };
  await db.transaction(async (tx) => {
    await tx.insert(contacts).values({ name, email, message, locale: options.locale, ...marks });
    if (options.operatorEmail === "") return;
    await queueMail(tx, {
      to: options.operatorEmail,
      reply_to: email,
      locale: options.locale,
      template: "contact-message",
      data: { name, email, message, ...marks },
    });
  });
}
