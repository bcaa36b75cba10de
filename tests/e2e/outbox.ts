/** Reads the mails that a site without a mail server writes into its data folder, as their reader would. */
import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** The first link of the newest mail to an address whose subject fits; waits up to ten seconds for it. */
export async function linkInMail(dataDir: string, to: string, subject: RegExp): Promise<string> {
  const text = await newestMail(dataDir, to, subject);
  const link = /https?:\/\/\S+\?token=[\w-]+/.exec(text)?.[0];
  if (!link) throw new Error(`no link in the mail:\n${text}`);
  return link;
}

/** The newest mail of that kind, decoded. */
export async function newestMail(dataDir: string, to: string, subject: RegExp): Promise<string> {
  const folder = path.join(dataDir, "outbox");
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".eml"));
    const mails = await Promise.all(
      names.map(async (name) => {
        const file = path.join(folder, name);
        return { text: readable(await readFile(file, "latin1")), at: (await stat(file)).mtimeMs };
      }),
    );
    const found = mails
      .filter(({ text }) => text.includes(`To: ${to}`) && subject.test(/^Subject: .*$/m.exec(text)?.[0] ?? ""))
      .sort((a, b) => b.at - a.at)[0];
    if (found) return found.text;
    await pause(100);
  }
  throw new Error(`no mail to ${to} about ${subject}`);
}

/** Quoted-printable (RFC 2045) and encoded words of headers (RFC 2047) as text. */
function readable(eml: string): string {
  const utf8 = (text: string) => Buffer.from(text, "latin1").toString("utf8");
  return utf8(
    eml
      .replace(/\r\n/g, "\n")
      .replace(/\n[ \t]+(?==\?)/g, "")
      .replace(/=\?utf-8\?Q\?(.*?)\?=/gi, (_, word: string) => unquote(word.replaceAll("_", " ")))
      .replace(/=\?utf-8\?B\?(.*?)\?=/gi, (_, word: string) => Buffer.from(word, "base64").toString("latin1"))
      .replace(/=\n/g, "")
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
  );
}

const unquote = (word: string) =>
  word.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
