/** Prefixes output for journald with its priority, so that `journalctl -p err` finds errors (sd-daemon(3)). */
import { fstatSync } from "node:fs";

/** By pino's levels; others are information. */
const PRIORITY: Readonly<Record<string, number>> = { fatal: 2, error: 3, warn: 4, debug: 7, trace: 7 };
const INFORMATION = 6;

/**
 * Unsets JOURNAL_STREAM if stderr goes elsewhere, so that neither this process nor its children write for a journal. For the
 * process that was typed: its children write to it.
 */
export function findJournal(): void {
  const { dev, ino } = fstatSync(process.stderr.fd);
  if (process.env.JOURNAL_STREAM !== `${dev}:${ino}`) delete process.env.JOURNAL_STREAM;
}

/** Adds the priority to a log line for a journal. */
export function withPriority(line: string): string {
  if (!process.env.JOURNAL_STREAM) return line;
  const [, level = ""] = /^\{"level":"(\w+)"/.exec(line) ?? [];
  return `<${PRIORITY[level] ?? INFORMATION}>${line}`;
}

/** Marks a command's final text as errors, line by line. */
export const asError = (text: string): string =>
  process.env.JOURNAL_STREAM ? text.replace(/^/gm, `<${PRIORITY.error}>`) : text;
