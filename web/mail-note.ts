// What a page may say of a mail that was asked for: whether mails go out at all, and in the demo what the mail said.
import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { RouterContextProvider } from "react-router";
import { appContext, siteContext } from "./context.ts";

/** `demo`: on a demo's page alone; both null where no mail was written for the address. A code is of eight digits. */
export type MailNote = { out: true } | { out: false; demo: { links: string[]; code: string | null } | null };

const PATIENCE_MS = 3_000;
const LOOK_EVERY_MS = 50;
/** A clock of files may be coarser than ours. */
const SLACK_MS = 1_000;
const MOST_READ = 20;

/** The note for mails that were asked for at `since` (ms) or later, to any of these addresses. */
export async function readMailNote(
  context: Readonly<RouterContextProvider>,
  addresses: string[],
  since: number,
): Promise<MailNote> {
  const { mailsGoOut, dataDir } = context.get(appContext);
  if (mailsGoOut) return { out: true };
  // On a real site this would hand a stranger the key to any account, and tell which addresses have one. In the demo all
  // accounts are made up and its admin's password is printed at the start, so that there is nothing to guard.
  if (!context.get(siteContext).read().demo) return { out: false, demo: null };
  const wanted = addresses.map((address) => address.trim().toLowerCase());
  const found = new Map<string, string>();
  for (let waited = 0; waited < PATIENCE_MS && found.size < wanted.length; waited += LOOK_EVERY_MS) {
    for (const [to, text] of await newMails(path.join(dataDir, "outbox"), since - SLACK_MS))
      if (wanted.includes(to)) found.set(to, text);
    if (found.size < wanted.length) await pause(LOOK_EVERY_MS);
  }
  const texts = [...found.values()];
  const links = texts.flatMap((text) => /https?:\/\/\S+\?token=[\w-]+/.exec(text)?.[0] ?? []);
  const code = texts.map((text) => /\b\d{4} ?\d{4}\b/.exec(text)?.[0]).find((digits) => digits !== undefined) ?? null;
  return { out: false, demo: { links, code: links.length > 0 ? null : code } };
}

/** Recipient and text of the newest mails that were written as files, the oldest first. */
async function newMails(outbox: string, since: number): Promise<[to: string, text: string][]> {
  const names = (await readdir(outbox).catch(() => [])).filter((name) => name.endsWith(".eml")).sort();
  const mails: [string, string][] = [];
  for (const name of names.slice(-MOST_READ)) {
    const file = path.join(outbox, name);
    if ((await stat(file)).mtimeMs < since) continue;
    const text = decode(await readFile(file, "latin1"));
    const to = /^To: <?([^<>\n]+)>?$/m.exec(text)?.[1];
    if (to) mails.push([to.trim().toLowerCase(), text]);
  }
  return mails;
}

/** Quoted-printable (RFC 2045) as text; links and codes are plain ASCII. */
const decode = (eml: string) =>
  eml
    .replaceAll("\r\n", "\n")
    .replaceAll("=\n", "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
