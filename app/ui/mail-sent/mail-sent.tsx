// What became of a mail that somebody asked for: it is on its way, or mail is not set up here, or this is the demo and the
// mail's own link stands here.
import type { ReactNode } from "react";
import { m } from "../../paraglide/messages.js";
import { Alert } from "../alert/alert.tsx";
import { Link } from "../link/link.tsx";
import css from "./mail-sent.module.css";

type Props = {
  /** As web/accounts/mail-note.ts tells it. */
  note: { out: true } | { out: false; demo: { links: string[]; code: string | null } | null };
  tone: "good" | "plain";
  /** Where mails go out. */
  text: string;
  /** Where the demo wrote no mail with a link or code: why. */
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
