// Decides what a page shows about a requested mail: whether mails are sent, and in the demo the mail's content.
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { RouterContextProvider } from "react-router";
import { listNewestMails } from "#domain/mails.ts";
import { outboxEnding } from "#outside/mail.ts";
import { appContext, siteContext } from "../context.ts";

/** `demo`: only on a demo's page; both null if no mail was written for the address. A code has eight digits. */
export type MailNote = { out: true } | { out: false; demo: { links: string[]; code: string | null } | null };

/** For a busy machine; the mail itself is made within a second. */
const PATIENCE_MS = 10_000;
const LOOK_EVERY_MS = 50;

/** Gets the note for mails requested at `since` (ms) or later, to any of these addresses. */
export async function readMailNote(
  context: Readonly<RouterContextProvider>,
  addresses: string[],
  since: number,
): Promise<MailNote> {
  const { db, mailsGoOut, dataDir } = context.get(appContext);
  if (mailsGoOut) return { out: true };
  // On a real site this would hand a stranger the key to any account, and reveal which addresses have one. In the demo
  // all accounts are invented and its admin's password is printed at the start, so there is nothing to guard.
  if (!context.get(siteContext).read().demo) return { out: false, demo: null };
  const wanted = addresses.map((address) => address.trim().toLowerCase());
  const patient = AbortSignal.timeout(PATIENCE_MS);
  let mails = await listNewestMails(db, wanted, new Date(since));
  while (mails.some((mail) => mail.waiting) && !patient.aborted) {
    await pause(LOOK_EVERY_MS);
    mails = await listNewestMails(db, wanted, new Date(since));
  }
  const outbox = path.join(dataDir, "outbox");
  const names = await readdir(outbox).catch(() => []);
  const texts = await Promise.all(
    mails.flatMap(({ mail_id }) => {
      const name = names.find((file) => file.endsWith(outboxEnding(mail_id)));
      return name ? [readFile(path.join(outbox, name), "latin1").then(decode)] : [];
    }),
  );
  const links = texts.flatMap((text) => /https?:\/\/\S+\?token=[\w-]+/.exec(text)?.[0] ?? []);
  // On a line of its own: a Message-ID may begin with eight digits as well.
  const code = texts.map((text) => /^ *(\d{4} \d{4})$/m.exec(text)?.[1]).find((digits) => digits !== undefined) ?? null;
  return { out: false, demo: { links, code: links.length > 0 ? null : code } };
}

/** Decodes quoted-printable (RFC 2045); links and codes are plain ASCII. */
const decode = (eml: string) =>
  eml
    .replaceAll("\r\n", "\n")
    .replaceAll("=\n", "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
