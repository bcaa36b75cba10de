// Sends a finished mail to the operator's mail server, or, without one, writes it as a file into the outbox.
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { createTransport, type NodemailerError, type SendMailOptions } from "nodemailer";

/** A finished mail. `name` is a word for the file's name; `id` makes its Message-ID, the same in every attempt. */
export type Letter = {
  id: string;
  name: string;
  from_name: string;
  to: string;
  reply_to?: string | null;
  /** Address that unsubscribes from such mails, for the button of mail programs (RFC 8058): a POST there ends them. */
  end_link?: string | null;
  subject: string;
  text: string;
  html: string;
};

/**
 * The result. `where`: the server's reply, or the file's path. `permanent`: this recipient or this message is refused, and
 * a retry would be too; everything else may pass or be fixed by the operator. `doubtful`: the mail server fell silent or
 * disconnected midway, so it may have accepted the mail.
 */
type MailOutcome =
  | { sent: true; where: string }
  | { sent: false; permanent: boolean; doubtful?: boolean; reason: string };

export type Mailer = {
  /** Never rejects, and resolves within 30 s. */
  send(letter: Letter): Promise<MailOutcome>;
  /** Removes outbox files older than `before`; mail servers store nothing here. */
  removeOlder(before: Date): Promise<void>;
};

/** The limit of the whole conversation with the mail server. */
const MAIL_LIMIT_MS = 30_000;
const SILENCE_LIMIT_MS = 10_000;

/** One mailbox of plain ASCII, no list, no comment, nothing that could end a header line. */
const ADDRESS = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)*$/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that may not pass
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** Checks for a single email address that is safe in a mail's header (RFC 5321 lengths). */
export function isMailAddress(text: string): boolean {
  return text.length <= 254 && ADDRESS.test(text);
}

/**
 * Makes the mailer. Connections to another machine must be encrypted (`?requireTLS=false` in SMTP_URL disables that),
 * because mails hold one-time links.
 * @param config `mailFrom`: the sender address of all mails; `limitMs` is for tests.
 */
export function createMailer(
  config: { smtpUrl?: string | undefined; mailFrom: string; dataDir: string },
  limitMs: { whole: number; silence: number } = { whole: MAIL_LIMIT_MS, silence: SILENCE_LIMIT_MS },
): Mailer {
  const outbox = path.join(config.dataDir, "outbox");
  const deliver = config.smtpUrl ? bySmtp(config.smtpUrl, limitMs) : intoOutbox(outbox);
  return {
    async send(letter) {
      const fault = faultOf(letter);
      if (fault) return { sent: false, permanent: true, reason: fault };
      try {
        return { sent: true, where: await deliver(compose(letter, config.mailFrom), letter) };
      } catch (error) {
        return failure(error);
      }
    },
    async removeOlder(before) {
      for (const file of await readdir(outbox).catch(() => [])) {
        const full = path.join(outbox, file);
        // Another process of this machine may have removed it; one killed while writing leaves a `.part`.
        const found = /\.eml(\.part)?$/.test(file) ? await stat(full).catch(() => null) : null;
        if (found && found.mtime < before) await rm(full, { force: true });
      }
    },
  };
}

function faultOf(letter: Letter): string | null {
  if (!isMailAddress(letter.to)) return "the recipient is no email address";
  if (letter.reply_to && !isMailAddress(letter.reply_to)) return "the address to answer to is no email address";
  if (letter.end_link && !/^https?:\/\/[!-;=?-~]+$/.test(letter.end_link))
    return "the link that ends such mails is no address";
  if (CONTROL.test(letter.subject) || CONTROL.test(letter.from_name)) return "a header holds a control character";
  return null;
}

function compose(letter: Letter, from: string): SendMailOptions {
  return {
    messageId: `<${letter.id}@${from.slice(from.lastIndexOf("@") + 1)}>`,
    from: { name: letter.from_name, address: from },
    // Objects, because a text would be parsed as a list of addresses.
    to: { name: "", address: letter.to },
    ...(letter.reply_to ? { replyTo: { name: "", address: letter.reply_to } } : {}),
    subject: letter.subject,
    text: letter.text,
    html: letter.html,
    headers: {
      "Auto-Submitted": "auto-generated",
      "X-Auto-Response-Suppress": "All",
      ...(letter.end_link
        ? { "List-Unsubscribe": `<${letter.end_link}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }
        : {}),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

type Deliver = (message: SendMailOptions, letter: Letter) => Promise<string>;

/** Greets the mail server, encrypts and signs in as for a mail, but sends none. Null: it would accept one; else its text. */
export async function checkMailServer(smtpUrl: string, silenceMs = SILENCE_LIMIT_MS): Promise<string | null> {
  const transport = smtpTransport(smtpUrl, silenceMs);
  try {
    await transport.verify();
    return null;
  } catch (error) {
    return failure(error).reason;
  } finally {
    transport.close();
  }
}

function smtpTransport(smtpUrl: string, silenceMs: number) {
  const url = new URL(smtpUrl);
  if (!url.searchParams.has("requireTLS") && !/^(?:localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname)) {
    url.searchParams.set("requireTLS", "true");
  }
  return createTransport({
    url: url.href,
    connectionTimeout: silenceMs,
    greetingTimeout: silenceMs,
    socketTimeout: silenceMs,
    dnsTimeout: silenceMs,
  });
}

function bySmtp(smtpUrl: string, limitMs: { whole: number; silence: number }): Deliver {
  const transport = smtpTransport(smtpUrl, limitMs.silence);
  return async (message) =>
    (await transport.sendMail({ ...message, signal: AbortSignal.timeout(limitMs.whole) })).response ?? "accepted";
}

/** The ending of a letter's file name in the outbox. */
export const outboxEnding = (id: string) => `-${id.slice(0, 8)}.eml`;

function intoOutbox(outbox: string): Deliver {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: "windows" });
  return async (message, letter) => {
    const { message: bytes } = await transport.sendMail(message);
    await mkdir(outbox, { recursive: true, mode: 0o700 });
    const time = new Date().toISOString().replaceAll(":", "-");
    const file = path.join(outbox, `${time}-${letter.name.replace(/[^\w-]/g, "")}${outboxEnding(letter.id)}`);
    // Renamed when complete: a program that watches the folder never reads half a mail.
    await writeFile(`${file}.part`, bytes, { mode: 0o600 });
    await rename(`${file}.part`, file);
    return file;
  };
}

/** Errors of a connection that ends or is aborted midway; before it is open, there are others. */
const IN_THE_MIDDLE = /^(?:Timeout|Connection closed unexpectedly|read ECONNRESET)$|aborted/;

/** A refusal of this recipient or this text is permanent (RFC 5321 section 4.2.1); one of the whole session is not. */
function failure(error: unknown): Extract<MailOutcome, { sent: false }> {
  const { message, command, permanent, code, responseCode } = error as NodemailerError;
  const doubtful = responseCode === undefined && IN_THE_MIDDLE.test(message);
  const ofThisMail = command === "RCPT TO" || command === "DATA";
  const text = [code, responseCode, message].filter(Boolean).join(" ");
  return { sent: false, permanent: permanent === true && ofThisMail, doubtful, reason: text.slice(0, 500) };
}
