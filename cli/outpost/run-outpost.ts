/** Runs an outpost: gets its targets from the site, polls them, and reports results, until it is stopped. */
import type { Logger } from "pino";
import type { Outside } from "#collector/ask.ts";
import { MOST_RESULTS } from "#domain/outposts/wire.ts";
import { startLookout } from "./lookout.ts";
import { createSiteLink } from "./site-link.ts";

/** Pause between retries while the site is unavailable, in ms: the first, doubled each time, up to the longest. */
const PAUSES = { first: 2_000, longest: 60_000 };
const TELL_EVERY_MS = 10 * 60_000;

export type OutpostEnd = "stopped" | "refused";

/**
 * Runs until `signal`, through all outages of the site; ends by itself only if the site rejects the token.
 * @param options.siteUrl an origin. @param options.random from 0 up to 1
 */
export async function runOutpost(options: {
  siteUrl: string;
  token: string;
  version: string;
  outside: Outside;
  log: Logger;
  signal: AbortSignal;
  random?: () => number;
  pauses?: typeof PAUSES;
}): Promise<OutpostEnd> {
  const { siteUrl, outside, log, signal, random = Math.random, pauses = PAUSES } = options;
  const link = createSiteLink(options);
  const lookout = startLookout({
    outside,
    onSlept: (ms) =>
      log.warn({ stood_still_ms: Math.round(ms) }, "this machine stood still, or its clock was set; asking anew"),
  });
  const told = setInterval(() => log.info({ ...lookout.counts(), looks_at: lookout.size() }, "so far"), TELL_EVERY_MS);
  let list: string | null = null;
  let away = null as { since: number; reason: string; times: number } | null;
  try {
    while (!signal.aborted) {
      const results = lookout.collect(MOST_RESULTS);
      const said = await link.report(list, results);
      if (signal.aborted) break;
      if (said.kind === "refused") {
        log.error({ site: siteUrl }, "the site does not know this token, or it was revoked: nothing is asked any more");
        return "refused";
      }
      if (said.kind === "away") {
        lookout.giveBack(results);
        if (away?.reason !== said.reason) {
          log.warn({ site: siteUrl, reason: said.reason }, `the site cannot be reached (${said.reason}); trying on`);
        }
        const times = (away?.times ?? 0) + 1;
        away = { since: away?.since ?? performance.now(), reason: said.reason, times };
        const pause = Math.min(pauses.longest, pauses.first * 2 ** Math.min(times - 1, 10));
        // Random in the second half, so that outposts don't all return at once after an outage.
        await wait(Math.max(said.waitMs ?? 0, pause * (0.5 + random() / 2)), signal);
        continue;
      }
      const { reply } = said;
      lookout.take(reply);
      if (away) log.info({ away_ms: Math.round(performance.now() - away.since) }, "the site answers again");
      else if (list === null) log.info({ site: siteUrl }, "the site answers");
      away = null;
      if (reply.list !== list) log.info({ looks_at: lookout.size() }, `looks at ${lookout.size()} game servers`);
      list = reply.list;
      if (lookout.waiting() < MOST_RESULTS) await wait(reply.next_ms * (0.9 + random() / 5), signal);
    }
    return "stopped";
  } finally {
    clearInterval(told);
    lookout.stop();
  }
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end, { once: true });
  });
}
