// Outcome of a requested mail: sent, mail not set up, or in the demo the mail's link itself.
import type { ReactNode } from "react";
import { m } from "../../paraglide/messages.js";
import { Alert } from "../alert/alert.tsx";
import { Link } from "../link/link.tsx";
import css from "./mail-sent.module.css";

type Props = {
  /** From web/accounts/mail-note.ts. */
  note: { out: true } | { out: false; demo: { links: string[]; code: string | null } | null };
  tone: "good" | "plain";
  /** Text if mail is on. */
  text: string;
  /** Why the demo shows no link or code. */
  nothing: ReactNode;
};

export function MailSent({ note, tone, text, nothing }: Props) {
  if (note.out) return <Alert tone={tone}>{text}</Alert>;
  if (note.demo === null) {
    return (
      <Alert tone="error">
        {m.mail_none()} <Link to="/contact">{m.mail_none_ask()}</Link>
      </Alert>
    );
  }
  const { links, code } = note.demo;
  return (
    <Alert tone="plain">
      {links.length === 0 && code === null ? nothing : m.mail_demo()}
      {links.map((link) => (
        <a key={link} href={new URL(link).pathname + new URL(link).search} className={css.link}>
          {m.mail_demo_link()}
        </a>
      ))}
      {code && <code className={css.code}>{code}</code>}
    </Alert>
  );
}
