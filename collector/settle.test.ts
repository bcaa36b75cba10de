import assert from "node:assert/strict";
import { test } from "node:test";
import pino from "pino";
import type { Claimed } from "./claim.ts";
import type { Outcome } from "./judge.ts";
import { createSettler } from "./settle.ts";

const S = 1_000;
const T = 1_800_000_000 * S;

/** One game server that was online, asked at its turns for `forS`; the status and the wait (s) that each outcome led to. */
function turns(forS: number, outcomeAt: (s: number) => Outcome) {
  let now = T;
  const settler = createSettler({
    siteIntervalMs: 30 * S,
    databaseNow: () => now,
    steady: () => now,
    evidence: { hear: () => {}, heardAt: () => now, weigh: async () => "theirs" },
    log: pino({ level: "silent" }),
    onDelayed: () => {},
  });
  let server: Claimed = {
    serverId: 1,
    serverName: "",
    adapter: "a2s",
    options: {},
    secrets: {},
    host: "play.example.org",
    gamePort: 1,
    queryPort: null,
    intervalMs: 30 * S,
    plannedAt: T,
    claimedUntil: Number.POSITIVE_INFINITY,
    waited: false,
    heartbeat: null,
    state: {
      status: "online",
      statusSince: T - 600 * S,
      userOnline: 1,
      botsOnline: null,
      userMaxMeasured: null,
      version: null,
      map: null,
      passwordProtected: null,
      lastAskedAt: T - 30 * S,
      lastAnsweredAt: T - 30 * S,
      latencyMs: null,
      failure: null,
      failuresInRow: 0,
    },
  };
  const seen: { status: string; waitS: number }[] = [];
  while (now < T + forS * S) {
    const { state, nextPollAt } = settler.settle(server, { outcome: outcomeAt((now - T) / S), place: "p", began: now });
    seen.push({ status: state.status, waitS: Math.round((nextPollAt - now) / S) });
    server = { ...server, state, plannedAt: nextPollAt };
    now = nextPollAt;
  }
  return seen;
}
const failed = (failure: "dns" | "no_reply"): Outcome => ({ ok: false, latencyMs: null, failure });

test("a name that stays lost is asked as a game server that is offline", () => {
  const seen = turns(3_600, () => failed("dns"));
  assert.deepEqual([...new Set(seen.map(({ status }) => status))], ["degraded", "unknown"]);
  assert.ok(
    seen.slice(10).every(({ waitS }) => waitS >= 26 && waitS <= 34),
    JSON.stringify(seen),
  );
});

test("a name that is found again has its game server judged from there on: one failure is no third", () => {
  const seen = turns(1_200, (s) => failed(s < 600 ? "dns" : "no_reply"));
  const after = seen.slice(seen.findIndex(({ status }) => status === "unknown")).map(({ status }) => status);
  const found = after.slice(after.findIndex((status) => status !== "unknown"));
  assert.deepEqual(found.slice(0, 3), ["degraded", "degraded", "degraded"]);
  assert.equal(found.indexOf("offline"), 5, "after half a minute of failures");
});
