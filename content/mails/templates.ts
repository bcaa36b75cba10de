// THE LIST of the site's mails, and their data.
import { accountDeleted, accountDeletionStarted } from "./account-deletion.ts";
import { alreadyRegistered } from "./already-registered.ts";
import { changeEmailNew, changeEmailOld } from "./change-email.ts";
import { contactAnswer } from "./contact-answer.ts";
import { contactMessage } from "./contact-message.ts";
import { resetPassword } from "./password.ts";
import { secondFactorLost, secondFactorRemoved } from "./second-factor.ts";
import { newAdmin, type SecurityChange, securityChanged, type WhenAndWhere } from "./security-changed.ts";
import { signInCode } from "./sign-in-code.ts";
import { testMail } from "./test-mail.ts";
import { verifyEmail } from "./verify-email.ts";
import { type MailSite, type WrittenIn, writeMail } from "./write-mail.ts";

/** Links are absolute addresses of this site; times are ISO 8601. */
export type MailData = {
  "verify-email": { link: string; hours: number };
  "reset-password": { link: string; minutes: number };
  "change-email-old": { new_email: string; link: string; hours: number };
  "change-email-new": { link: string; hours: number };
  "sign-in-code": { code: string; minutes: number };
  "already-registered": { sign_in_link: string; reset_link: string };
  "security-changed": WhenAndWhere & { what: SecurityChange };
  "new-admin": WhenAndWhere & { email: string; user_id: string };
  "second-factor-removed": { removed_at: string; security_link: string };
  "second-factor-lost": { lost_at: string; security_link: string };
  /** `link`: page to cancel the deletion. */
  "account-deletion-started": { erase_at: string; link: string };
  /** `kept_until`: end of what is stored against fraud, null if nothing is. */
  "account-deleted": { kept_until: string | null };
  /** `written_at`: time of the answered message. */
  "contact-answer": { answer: string; written_at: string };
  "contact-message": {
    name: string;
    email: string;
    message: string;
    request_kind: string | null;
    request_region: string | null;
  };
  "test-mail": Record<string, never>;
};

export type MailTemplateName = keyof MailData;

const MAIL_TEMPLATES: { [T in MailTemplateName]: WrittenIn<MailData[T]> } = {
  "verify-email": verifyEmail,
  "reset-password": resetPassword,
  "change-email-old": changeEmailOld,
  "change-email-new": changeEmailNew,
  "sign-in-code": signInCode,
  "already-registered": alreadyRegistered,
  "security-changed": securityChanged,
  "new-admin": newAdmin,
  "second-factor-removed": secondFactorRemoved,
  "second-factor-lost": secondFactorLost,
  "account-deletion-started": accountDeletionStarted,
  "account-deleted": accountDeleted,
  "contact-answer": contactAnswer,
  "contact-message": contactMessage,
  "test-mail": testMail,
};

/**
 * Renders the mail of a stored row.
 * @throws {RangeError} if the template doesn't exist (any more).
 */
export function renderMail(
  mail: { template: string; locale: "en" | "de"; data: Record<string, unknown> | null },
  site: MailSite,
): { subject: string; text: string; html: string } {
  if (!Object.hasOwn(MAIL_TEMPLATES, mail.template)) throw new RangeError(`there is no mail template ${mail.template}`);
  // queueMail accepts only data that fits its template.
  const template = MAIL_TEMPLATES[mail.template as MailTemplateName] as WrittenIn<Record<string, unknown>>;
  return writeMail(template[mail.locale](mail.data ?? {}, site), mail.locale, site);
}
