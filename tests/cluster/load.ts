/** What visitors and game machines do all the time, through the balancer: pages, members' pages, heartbeats; every failure counted. */
import { setTimeout as pause } from "node:timers/promises";
import { beat } from "./members.ts";
import type { Site } from "./site.ts";

const PAGES = ["/", "/dashboard", "/games/valheim", "/de/"];
export const PAGE_LOOPS = 6;
const MEMBER_LOOPS = 2;
/** Each token has 30 a minute. */
const REPORTERS = 18;
const BEAT_EVERY_MS = 200;

export type Tally = { requests: number; failures: string[]; slowestMs: number; lastFailureAt: number };
export type Load = { pages: Tally; members: Tally; writes: Tally; stop(): Promise<void> };

const tally = (): Tally => ({ requests: 0, failures: [], slowestMs: 0, lastFailureAt: 0 });

export async function startLoad(site: Site, email: string): Promise<Load> {
  const { at: member } = await site.signedIn(site.door, email);
  const load = { pages: tally(), members: tally(), writes: tally() };
  let stopping = false;

  async function loop(into: Tally, everyMs: number, ask: (n: number) => Promise<{ status: number }>, wanted: number) {
    for (let n = 0; !stopping; n += 1) {
      const began = performance.now();
      const outcome = await ask(n).then(
        ({ status }) => (status === wanted ? null : String(status)),
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      );
      into.requests += 1;
      into.slowestMs = Math.max(into.slowestMs, performance.now() - began);
      if (outcome !== null) {
        into.failures.push(outcome);
        into.lastFailureAt = performance.now();
      }
      await pause(Math.max(0, everyMs - (performance.now() - began)));
    }
  }

  const visitor = site.visitor();
  const machine = site.visitor();
  const loops = [
    ...Array.from({ length: PAGE_LOOPS }, (_, index) =>
      loop(load.pages, 60, (n) => visitor.get(site.door, PAGES[(n + index) % PAGES.length] ?? "/"), 200),
    ),
    ...Array.from({ length: MEMBER_LOOPS }, () =>
      loop(load.members, 150, () => member.get(site.door, "/user/settings/profile/"), 200),
    ),
    loop(load.writes, BEAT_EVERY_MS, (n) => beat(machine, site.door, n % REPORTERS, n % 60), 204),
  ];
  return {
    ...load,
    async stop() {
      stopping = true;
      await Promise.all(loops);
    },
  };
}

/** `6,000 requests, none failed`, or the failures by kind. */
export function tellTally({ requests, failures, slowestMs }: Tally): string {
  const kinds = Object.entries(Object.groupBy(failures, (kind) => kind)).map(
    ([kind, all]) => `${all?.length} × ${kind}`,
  );
  return `${requests} requests, ${failures.length === 0 ? "none failed" : `failed: ${kinds.join(", ")}`}, slowest ${Math.round(slowestMs)} ms`;
}
