/** Checks mail: is there a server, does login work, can the sender's domain send mail. Sends nothing. */
import { promises as dns } from "node:dns";
import path from "node:path";
import type { Config } from "#config";
import { checkMailServer } from "#outside/mail.ts";
import { type Finding, ok, warning, wrong } from "./finding.ts";

export async function lookAtMail({ smtpUrl, mailFrom, dataDir }: Config): Promise<Finding[]> {
  if (!smtpUrl) {
    const says = `SMTP_URL is not set: mails become files in ${path.join(dataDir, "outbox")}, and nobody gets a link`;
    return [warning("mail", says, "Set SMTP_URL and MAIL_FROM to your mail server and its sender.")];
  }
  const { protocol, host, username } = new URL(smtpUrl);
  const [refused, sender] = await Promise.all([checkMailServer(smtpUrl), lookAtSender(mailFrom)]);
  const server = `${protocol}//${host}`;
  if (refused !== null)
    return [wrong("mail", `${server} would take no mail: ${refused}`, fixFor(refused, username !== "")), sender];
  return [ok("mail", `${server} lets us in${username ? ` as ${decodeURIComponent(username)}` : ""}`), sender];
}

/** @param text the error as the mail server or the network reported it */
export function fixFor(text: string, signsIn: boolean): string {
  if (/EAUTH|\b535\b|\b530\b/.test(text)) {
    return signsIn
      ? "Check name and password in SMTP_URL; special characters in them are written %40 for @, %2F for / and so on."
      : "It wants a name and a password: SMTP_URL=smtps://name:password@host";
  }
  if (/ETLS|STARTTLS|certificate|self.signed|ESOCKET/i.test(text)) {
    return "Encryption failed: use smtps:// for port 465, smtp:// for 587 (STARTTLS), and the name that its certificate says.";
  }
  if (/EDNS|ENOTFOUND|EAI_AGAIN/.test(text)) return "The name does not resolve: check the host in SMTP_URL, and DNS.";
  return "Check host and port in SMTP_URL, and whether this network lets mail out (many close port 25; 465 and 587 are open).";
}

async function lookAtSender(mailFrom: string): Promise<Finding> {
  const domain = mailFrom.slice(mailFrom.lastIndexOf("@") + 1);
  const known = await Promise.any([dns.resolveMx(domain), dns.resolve4(domain), dns.resolve6(domain)]).then(
    (records) => records.length > 0,
    () => false,
  );
  if (known) return ok("sender", mailFrom);
  const fix = "Set MAIL_FROM to an address of a domain that receives mail; others are thrown away as forged.";
  return warning("sender", `${domain}, from MAIL_FROM, takes no mail as far as DNS knows`, fix);
}
