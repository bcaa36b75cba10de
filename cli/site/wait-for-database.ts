/** Waits for a database that is not there yet, for hours if need be, and says so: seldom, but at once. */
import { setTimeout as pause } from "node:timers/promises";
import type { Config } from "#config";
import { hostOfDatabase } from "#db/database-address.ts";
import { probeDatabase, probeTables } from "#db/probe-database.ts";
import type { openWaitingRoom } from "#web/pages/waiting-room.ts";
import type { Log } from "../process/log.ts";
import { StartError } from "../start-error.ts";

/** Between two looks. */
const LOOK_MS = 1000;
/** When it is said again, counted from the beginning; after the last one every five minutes. */
const SAID_AT_MS = [0, 10_000, 60_000];
const SAID_EVERY_MS = 300_000;
/** Something else that is wrong is said so long after the last text. */
const OTHER_TEXT_MS = 5000;

/**
 * Settles with true when the database can be used; with false when `signal` says to stop waiting.
 * @param options.limitMs how long at most; absent: as long as it takes
 * @param options.quick only whether it answers: whoever started this process has looked at the rest
 * @param options.writes it is waited for until it takes writes: this process brings its tables
 * @param options.tables its tables are waited for, too: this process does not make them itself
 * @param options.visitors where whoever comes to the site is told that it waits; absent: nobody is
 * @throws {StartError} for what does not pass by itself, and after `limitMs`.
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
  } = {},
): Promise<boolean> {
  const { signal, limitMs = Number.POSITIVE_INFINITY, visitors, quick, writes, tables = false } = options;
  const look = async () =>
    (await probeDatabase(databaseUrl, { quick, writes })) ?? (tables ? await probeTables(databaseUrl) : null);
  const where = hostOfDatabase(databaseUrl);
  const began = performance.now();
  let room: Awaited<ReturnType<typeof openWaitingRoom>> | null = null;
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
      // A port that cannot be had is told by whoever needs it; here it would only hide what is waited for.
      if (visitors) room ??= await openRoom(visitors).catch(() => null);
      await pause(LOOK_MS, undefined, { signal }).catch(() => {});
    }
  } finally {
    await room?.close();
  }
}

/** Loaded where somebody has to wait: it brings every text of the interface along. */
async function openRoom(visitors: Parameters<typeof openWaitingRoom>[0]) {
  const { openWaitingRoom } = await import("#web/pages/waiting-room.ts");
  return openWaitingRoom(visitors);
}

/** Where the site will be: for the process that is to listen there. Any free port is known to nobody yet. */
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
