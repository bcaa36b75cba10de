// Contact form messages: stores them and forwards them to the operator.
import { z } from "zod";
import type { Db } from "#db/client.ts";
import { contacts, REQUEST_KINDS, REQUEST_REGIONS } from "#db/schema/contacts.ts";
import { isMailAddress } from "#outside/mail.ts";
import { fieldError } from "#shared/field-error-codes.ts";
import { filledLine, filledLines } from "../form-text.ts";
import { type MailLocale, queueMail } from "../mails.ts";

export const CONTACT_LIMITS = { name: 80, email: 254, message: 5000 };

/** A message as a form sends it. Errors: `missing`, `too_long`, `no_email`. */
export const contactShape = z.object({
  name: filledLine(CONTACT_LIMITS.name),
  email: filledLine(CONTACT_LIMITS.email).refine((text) => isEmail(text), fieldError("no_email")),
  message: filledLines(CONTACT_LIMITS.message),
  /** Set only if the sender marked the message as a privacy request. */
  request: z
    .object({
      kind: z.enum(REQUEST_KINDS, fieldError("missing")),
      region: z.enum(REQUEST_REGIONS, fieldError("missing")),
    })
    .nullable(),
});

const isEmail = (text: string) => z.email().safeParse(text).success && isMailAddress(text);

/** Stores a message and, if the operator has set an address, queues it as a mail in the same transaction. */
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
