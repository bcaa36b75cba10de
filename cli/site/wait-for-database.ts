/** Waits for an unavailable database, for hours if needed, and logs it: at once, then rarely. */
import { closeSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { Config } from "#config";
import { hostOfDatabase } from "#db/database-address.ts";
import { probeDatabase, probeTables } from "#db/probe-database.ts";
import type { openWaitingRoom } from "#web/pages/waiting-room.ts";
import type { Log } from "../process/log.ts";
import { StartError } from "../start-error.ts";

/** Pause between attempts. */
const LOOK_MS = 1000;
/** Times of the messages since the start; after the last one every five minutes. */
const SAID_AT_MS = [0, 10_000, 60_000];
const SAID_EVERY_MS = 300_000;
/** A different problem is logged this long after the last message. */
const OTHER_TEXT_MS = 5000;

/**
 * Returns true when the database is usable; false if `signal` aborts.
 * @param options.limitMs longest wait; absent: unlimited
 * @param options.quick checks only the connection: the parent has checked the rest
 * @param options.writes waits until it accepts writes: this process migrates its tables
 * @param options.tables also waits for its tables: this process doesn't create them
 * @param options.visitors where to serve a waiting page; absent: nowhere
 * @param options.descriptor a socket for the waiting page, bound to that address; closed at the end
 * @throws {StartError} for lasting problems, and after `limitMs`.
 */
export async function waitForDatabase(
  databaseUrl: string,
  log: Pick<Log, "warn" | "info">,
  options: {
    signal?: AbortSignal | undefined;
    limitMs?: number;
    quick?: boolean;
    tables?: boolean;
    writes?: boolean;
    visitors?: Parameters<typeof openWaitingRoom>[0] | undefined;
    descriptor?: number | undefined;
  } = {},
): Promise<boolean> {
  const { signal, limitMs = Number.POSITIVE_INFINITY, visitors, descriptor, quick, writes, tables = false } = options;
  const look = async () =>
    (await probeDatabase(databaseUrl, { quick, writes })) ?? (tables ? await probeTables(databaseUrl) : null);
  const where = hostOfDatabase(databaseUrl);
  const began = performance.now();
  let room: Awaited<ReturnType<typeof openRoom>> | null = null;
  let left = descriptor;
  let saidAt: number | null = null;
  let sayAgainAt = 0;
  let lastText = "";
  const stopped = new Promise<"stopped">((resolve) => {
    if (signal?.aborted) resolve("stopped");
    signal?.addEventListener("abort", () => resolve("stopped"), { once: true });
  });
  try {
    for (;;) {
      const trouble = await Promise.race([look(), stopped]);
      if (trouble === "stopped") return false;
      const waitedMs = performance.now() - began;
      if (trouble === null) {
        if (saidAt !== null) log.info(`the database at ${where} is there, after ${inText(waitedMs)}`);
        return true;
      }
      if (!trouble.passes) throw new StartError(trouble.text);
      if (waitedMs > limitMs) {
        throw new StartError(
          `The database at ${where} did not come within ${inText(limitMs)}: ${trouble.text}. Start it, or write where it is into DATABASE_URL.`,
        );
      }
      const isOther = saidAt !== null && trouble.text !== lastText && waitedMs - saidAt >= OTHER_TEXT_MS;
      if (waitedMs >= sayAgainAt || isOther) {
        const since = saidAt === null ? "" : `, for ${inText(waitedMs)} now`;
        log.warn(
          `waiting for the database at ${where}${since}: ${trouble.text}. It is tried every second until it comes.`,
        );
        saidAt = waitedMs;
        lastText = trouble.text;
        sayAgainAt = SAID_AT_MS.find((at) => at > waitedMs) ?? waitedMs + SAID_EVERY_MS;
      }
      // A busy port is reported by the process that needs it; here it would hide the real reason.
      if (visitors) {
        room ??= await openRoom({ ...visitors, descriptor: left }).catch(() => null);
        left = undefined;
      }
      await pause(LOOK_MS, undefined, { signal }).catch(() => {});
    }
  } finally {
    if (left !== undefined) closeSync(left);
    await room?.close();
  }
}

/** Loaded on demand: it includes all texts of the interface. */
async function openRoom(visitors: Parameters<typeof openWaitingRoom>[0]) {
  const { openWaitingRoom } = await import("#web/pages/waiting-room.ts");
  return openWaitingRoom(visitors);
}

/** Returns the site's address, for the process that will listen there. A free port isn't known yet. */
export function visitorsOf(
  { host, port, siteUrl, hstsSubdomains }: Pick<Config, "host" | "port" | "siteUrl" | "hstsSubdomains">,
  reusePort = false,
): Parameters<typeof openWaitingRoom>[0] | undefined {
  return port === 0 ? undefined : { host, port, siteUrl, hstsSubdomains, reusePort };
}

function inText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds / 3600)} hours`;
}
