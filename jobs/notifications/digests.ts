// Writes the one mail a day of members who chose that, each at their hour.
import { writeDueDigests } from "#domain/notifications/digests.ts";
import type { WebParts } from "../web-schedule.ts";

/** Any number of processes may try: each mail is written by one of them. */
export async function writeDigests({ db, log, signal }: WebParts & { signal: AbortSignal }): Promise<void> {
  const written = await writeDueDigests(db, signal);
  if (written > 0) log.info({ mails: written }, "daily mails were written");
}
