// Writes the daily digests of members who chose them, each at its hour.
import { writeDueDigests } from "#domain/notifications/digests.ts";
import type { WebParts } from "../web-schedule.ts";

/** Any number of processes may run it: one of them writes each mail. */
export async function writeDigests({ db, log, signal }: WebParts & { signal: AbortSignal }): Promise<void> {
  const written = await writeDueDigests(db, signal);
  if (written > 0) log.info({ mails: written }, "daily mails were written");
}
