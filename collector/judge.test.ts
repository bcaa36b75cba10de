import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { answerWithoutFigures } from "#outside/game-query/answer.ts";
import { type JudgeRules, judge, type MeasuredState, NEVER_ASKED, type Outcome } from "./judge.ts";

const S = 1_000;
const T = 1_800_000_000_000;
const rules: JudgeRules = { intervalMs: 30 * S, trustRecord: false, evidenceFrom: 0 };
const online: MeasuredState = {
  ...NEVER_ASKED,
  status: "online",
  statusSince: T - 600 * S,
  userOnline: 12,
  botsOnline: 2,
  userMaxMeasured: 64,
  version: "1.2",
  map: "hills",
  passwordProtected: false,
  lastAskedAt: T,
  lastAnsweredAt: T,
  latencyMs: 20,
};
const failed = (failure: (Outcome & { ok: false })["failure"]): Outcome => ({ ok: false, latencyMs: 2000, failure });
const answered = (players: number | null, maxPlayers: number | null = 64): Outcome => ({
  ok: true,
  latencyMs: 20.6,
  answer: { players, bots: 3, maxPlayers, version: "1.3", name: "liar", map: "sea", passwordProtected: true },
});

/** Fails at the given seconds after T, from `start`; the statuses after each. */
function failAt(seconds: number[], start = online, failure: Parameters<typeof failed>[0] = "no_reply", more = rules) {
  let state = start;
  return seconds.map((s) => {
    state = judge(state, failed(failure), T + s * S, more).next;
    return state.status;
  });
}

test("offline needs three failures in a row and a minute without an answer", () => {
  const table: [number[], string[]][] = [
    [[30], ["degraded"]],
    [
      [30, 35],
      ["degraded", "degraded"],
    ],
    [
      [30, 35, 59.9],
      ["degraded", "degraded", "degraded"],
    ],
    [
      [30, 35, 60],
      ["degraded", "degraded", "offline"],
    ],
    [
      [10, 15, 20, 25, 30],
      ["degraded", "degraded", "degraded", "degraded", "degraded"],
    ],
    [
      [58, 63],
      ["degraded", "degraded"],
    ],
    [
      [70, 75],
      ["degraded", "degraded"],
    ],
    // Three in ten seconds are a line that loses packets: failures have to last, however long ago the last answer is.
    [
      [70, 75, 80, 85, 93.9],
      ["degraded", "degraded", "degraded", "degraded", "degraded"],
    ],
    [
      [70, 75, 80, 94],
      ["degraded", "degraded", "degraded", "offline"],
    ],
  ];
  for (const [seconds, statuses] of table) assert.deepEqual(failAt(seconds), statuses, String(seconds));
});

test("one answer in between starts the row anew", () => {
  let state = judge(online, failed("timeout"), T + 30 * S, rules).next;
  state = judge(state, answered(3), T + 35 * S, rules).next;
  assert.equal(state.status, "online");
  assert.equal(state.failuresInRow, 0);
  assert.deepEqual(failAt([65, 70], state), ["degraded", "degraded"]);
});

test("short intervals need two of them instead of the minute", () => {
  const quick = { ...rules, intervalMs: S };
  assert.deepEqual(failAt([1, 1.5, 1.9, 2], online, "refused", quick), ["degraded", "degraded", "degraded", "offline"]);
});

test("at an interval shorter than its questions take, failures still follow each other", () => {
  const quick = { ...rules, intervalMs: S };
  assert.deepEqual(failAt([4, 8.5, 13], online, "no_reply", quick), ["degraded", "degraded", "offline"]);
});

test("a server without one valid answer is unknown while it is silent: only a port that refuses makes it offline", () => {
  const minute = [0, 5, 30, 60, 90];
  for (const failure of ["no_reply", "timeout", "malformed"] as const) {
    assert.deepEqual(failAt(minute, NEVER_ASKED, failure), Array(5).fill("unknown"), failure);
  }
  assert.deepEqual(failAt(minute, NEVER_ASKED, "refused"), ["degraded", "degraded", "degraded", "offline", "offline"]);
  const refused: MeasuredState = { ...NEVER_ASKED, status: "offline", failure: "refused", failuresInRow: 5 };
  assert.deepEqual(
    failAt([90, 95], refused, "malformed"),
    ["unknown", "unknown"],
    "bytes prove that it was started since",
  );
  const silent: MeasuredState = { ...NEVER_ASKED, status: "unknown", failure: "no_reply", failuresInRow: 9 };
  assert.deepEqual(failAt([90, 95, 119, 150], silent, "refused"), ["degraded", "degraded", "degraded", "offline"]);
});

test("bytes that cannot be read prove that a server is up: never offline, and unknown after a minute", () => {
  const garbled = (seconds: number[], start = online) => failAt(seconds, start, "malformed");
  assert.deepEqual(garbled([30, 35, 59.9, 60, 90]), ["degraded", "degraded", "degraded", "unknown", "unknown"]);
  assert.deepEqual(
    garbled([90, 95]),
    ["degraded", "unknown"],
    "one garbled reply is a doubt, however long ago the last answer is",
  );
  const gone: MeasuredState = { ...online, status: "offline", userOnline: null, failure: "no_reply", failuresInRow: 9 };
  assert.deepEqual(garbled([90], gone), ["unknown"]);

  const mixed = (...failures: Parameters<typeof failed>[0][]) => {
    let state = online;
    for (const [i, failure] of failures.entries())
      state = judge(state, failed(failure), T + (55 + 5 * i) * S, rules).next;
    return state;
  };
  const late = mixed("no_reply", "no_reply", "no_reply", "no_reply", "malformed");
  assert.deepEqual([late.status, late.failure, late.userOnline], ["unknown", "malformed", null]);
  const early = mixed("malformed", "no_reply", "no_reply");
  assert.deepEqual([early.status, early.failuresInRow], ["degraded", 2], "silence after bytes begins a row of its own");
  // What was understood once and then falls silent for good is offline: bytes of before keep nothing up.
  assert.deepEqual(failAt([85, 90, 95, 118, 119], late), ["unknown", "unknown", "degraded", "degraded", "offline"]);
});

/** The changes of the status while these results come in every half minute. */
function changesOf(start: MeasuredState, results: Parameters<typeof failed>[0][]): string[] {
  let state = start;
  const changes: string[] = [];
  for (const [turn, failure] of results.entries()) {
    const { next, event } = judge(state, failed(failure), T + (turn + 1) * 30 * S, rules);
    if (event) changes.push(event.to);
    state = next;
  }
  return changes;
}

test("a closed port that now and then doesn't even refuse goes offline once", () => {
  for (const lost of ["timeout", "no_reply"] as const) {
    const round = ["refused", "refused", "refused", lost, lost, "refused", lost] as const;
    assert.deepEqual(changesOf(NEVER_ASKED, [...round, ...round, ...round]), ["degraded", "offline"], lost);
  }
});

test("lost packets among replies that can't be read, and a name that is lost at times, leave a server unknown", () => {
  for (const lost of ["timeout", "no_reply", "dns"] as const) {
    const round = ["malformed", lost, lost, "malformed", lost] as const;
    assert.deepEqual(changesOf(online, ["malformed", ...round, ...round, ...round]), ["degraded", "unknown"], lost);
  }
  const unauthorized = ["unauthorized", "timeout", "unauthorized", "timeout", "timeout", "unauthorized"] as const;
  assert.deepEqual(changesOf(online, [...unauthorized]), ["unknown"]);
  const mixed = ["malformed", "malformed", "timeout", "network", "timeout", "timeout", "dns", "timeout"] as const;
  assert.deepEqual(changesOf(online, [...mixed]), ["degraded", "unknown"], "none of these are three in a row");
  const unreadable: MeasuredState = { ...online, status: "unknown", failure: "malformed", failuresInRow: 9 };
  assert.deepEqual(failAt([30, 130, 230, 330], unreadable), Array(4).fill("unknown"), "a gap in watching ends the row");
});

test("without an answer there is no response time", () => {
  for (const failure of ["no_reply", "timeout", "malformed", "refused", "dns", "blocked"] as const) {
    for (const state of [NEVER_ASKED, online, { ...online, status: "offline" as const }]) {
      assert.equal(judge(state, failed(failure), T + 30 * S, rules).next.latencyMs, null, failure);
    }
  }
  assert.equal(judge(online, answered(3), T + S, rules).next.latencyMs, 21);
});

test("what failed before we could tell is no evidence", () => {
  const twice: MeasuredState = { ...online, status: "degraded", failuresInRow: 2, lastAskedAt: T + 35 * S };
  const blind = { ...rules, evidenceFrom: T + 40 * S };
  const verdict = judge(twice, failed("no_reply"), T + 3600 * S, blind);
  assert.equal(verdict.next.status, "degraded");
  assert.equal(verdict.next.failuresInRow, 1);
  // A gap of more than three intervals breaks the row as well, whatever its cause.
  assert.equal(judge(twice, failed("no_reply"), T + 3600 * S, rules).next.failuresInRow, 1);
  // And the minute counts from when we could tell.
  const thrice = { ...twice, failuresInRow: 2, lastAskedAt: T + 55 * S };
  assert.equal(judge(thrice, failed("no_reply"), T + 70 * S, blind).next.status, "degraded");
  assert.equal(judge(thrice, failed("no_reply"), T + 100 * S, blind).next.status, "offline");
});

test("failures have to last from the first that counts: neither a name that was lost nor what we could not see is one", () => {
  const lost = judge(online, failed("dns"), T + 30 * S, rules).next;
  assert.deepEqual(failAt([58, 63, 68, 81.9, 82], lost), ["degraded", "degraded", "degraded", "degraded", "offline"]);
  const twice: MeasuredState = {
    ...online,
    status: "degraded",
    statusSince: T,
    failuresInRow: 2,
    lastAskedAt: T + 5 * S,
  };
  const blind = { ...rules, evidenceFrom: T + 6 * S, intervalMs: 10 * S };
  assert.deepEqual(failAt([20, 25, 26.5, 27.9, 28], twice, "no_reply", blind), [
    "degraded",
    "degraded",
    "degraded",
    "degraded",
    "offline",
  ]);
});

test("a clock that was put back takes nobody's outage away, and makes none", () => {
  const later = T + 3600 * S;
  const ahead = { ...online, statusSince: later - 600 * S, lastAskedAt: later, lastAnsweredAt: later };
  const since = { ...rules, evidenceFrom: T };
  assert.deepEqual(failAt([30, 35, 59.9, 60], ahead, "no_reply", since), [
    "degraded",
    "degraded",
    "degraded",
    "offline",
  ]);
  const doubted = { ...ahead, status: "degraded" as const, failuresInRow: 2 };
  assert.deepEqual(failAt([30, 35, 59], doubted, "no_reply", since), ["degraded", "degraded", "degraded"]);
  const back = judge(ahead, answered(3), T + 30 * S, since).next;
  assert.deepEqual([back.lastAskedAt, back.lastAnsweredAt], [T + 30 * S, T + 30 * S], "nothing is newer than now");
});

test("a failure of our own network says nothing: state and freshness stay, and failures before it are no evidence", () => {
  const gone = { ...online, status: "offline" as const, failuresInRow: 7 };
  for (const state of [NEVER_ASKED, online, gone, { ...online, status: "degraded" as const, failuresInRow: 2 }]) {
    const failuresInRow = state.status === "degraded" ? 0 : state.failuresInRow;
    const verdict = judge(state, failed("network"), T + 300 * S, rules);
    assert.deepEqual(verdict.next, { ...state, failure: "network", failuresInRow });
    assert.equal(verdict.judged, false);
    assert.equal(verdict.event, null);
    assert.equal(verdict.counted, null);
  }
});

test("what cannot be asked is unknown at once, never offline", () => {
  for (const failure of ["blocked", "unauthorized", "no_address", "sealed", "silent"] as const) {
    for (const state of [NEVER_ASKED, online, { ...online, status: "offline" as const, failuresInRow: 9 }]) {
      const { next, judged } = judge(state, failed(failure), T + 300 * S, rules);
      assert.equal(next.status, "unknown");
      assert.equal(next.userOnline, null);
      assert.equal(next.failure, failure);
      assert.equal(next.lastAskedAt, T + 300 * S);
      assert.ok(judged);
    }
  }
});

test("a name that does not resolve is a failed try that ends as unknown: the server itself was never asked", () => {
  assert.deepEqual(failAt([30, 35, 60, 90], online, "dns"), ["degraded", "degraded", "unknown", "unknown"]);
  const offline: MeasuredState = { ...online, status: "offline", failuresInRow: 5 };
  assert.deepEqual(failAt([90], offline, "dns"), ["unknown"]);
});

test("offline stays offline on failures and comes back on one answer", () => {
  const offline: MeasuredState = { ...online, status: "offline", statusSince: T, userOnline: null, failuresInRow: 3 };
  const still = judge(offline, failed("timeout"), T + 500 * S, { ...rules, evidenceFrom: T + 499 * S });
  assert.equal(still.next.status, "offline");
  assert.equal(still.next.statusSince, T);
  assert.equal(still.event, null);
  const back = judge(still.next, answered(1), T + 600 * S, rules);
  assert.deepEqual(back.event, {
    from: "offline",
    to: "online",
    failures: { firstAt: null, lastAt: T + 500 * S, count: 4 },
  });
  assert.equal(back.next.statusSince, T + 600 * S);
});

test("degraded keeps the last counts, offline has none, and neither counts anybody", () => {
  const first = judge(online, failed("timeout"), T + 30 * S, rules);
  assert.equal(first.next.userOnline, 12);
  assert.equal(first.next.map, "hills");
  assert.equal(first.counted, null);
  assert.deepEqual(first.event?.failures, { firstAt: T + 30 * S, lastAt: T + 30 * S, count: 1 });
  const last = judge({ ...first.next, failuresInRow: 2 }, failed("timeout"), T + 60 * S, rules);
  assert.equal(last.next.userOnline, null);
  assert.equal(last.next.version, "1.2");
});

test("a change of the status says which failures it ends with, or its answer ended", () => {
  const doubt = judge(online, failed("refused"), T + 30 * S, rules).next;
  const again = judge(doubt, failed("refused"), T + 35 * S, rules);
  assert.equal(again.event, null);
  assert.deepEqual(judge(again.next, answered(1), T + 60 * S, rules).event, {
    from: "degraded",
    to: "online",
    failures: { firstAt: T + 30 * S, lastAt: T + 35 * S, count: 2 },
  });
  const gone = judge(again.next, failed("no_reply"), T + 60 * S, rules);
  assert.deepEqual(gone.event?.failures, { firstAt: T + 30 * S, lastAt: T + 60 * S, count: 3 });
  assert.deepEqual(judge(NEVER_ASKED, answered(1), T, rules).event?.failures, {
    firstAt: null,
    lastAt: null,
    count: 0,
  });
  // While the name was lost nobody asked the machine: since when it fails is not known.
  const lost = { ...judge(online, failed("dns"), T + 30 * S, rules).next, failuresInRow: 2 };
  const found = judge(lost, failed("no_reply"), T + 60 * S, { ...rules, intervalMs: S });
  assert.equal(found.event, null);
  const silent = judge({ ...found.next, failuresInRow: 2 }, failed("no_reply"), T + 61 * S, {
    ...rules,
    intervalMs: S,
  });
  assert.equal(silent.event?.failures.count, 3);
});

test("players are clamped, and null where nobody counts", () => {
  const table: [number | null, number | null][] = [
    [0, 0],
    [7, 7],
    [-3, 0],
    [2.9, 2],
    [4e9, 100_000],
    [Number.NaN, null],
    [Number.POSITIVE_INFINITY, null],
    [null, null],
  ];
  for (const [players, expected] of table) {
    const verdict = judge(online, answered(players), T + S, rules);
    assert.equal(verdict.next.userOnline, expected, String(players));
    assert.equal(verdict.counted, expected, String(players));
  }
});

test("bots and the password flag are those of the last answer, and nobody's where nobody can tell", () => {
  const figures = ({ botsOnline, passwordProtected }: MeasuredState) => [botsOnline, passwordProtected];
  assert.deepEqual(figures(judge(online, answered(5), T + S, rules).next), [3, true]);
  const bare: Outcome = { ok: true, latencyMs: 1, answer: answerWithoutFigures };
  assert.deepEqual(figures(judge(online, bare, T + S, rules).next), [null, null]);
  assert.deepEqual(figures(judge(online, failed("timeout"), T + 30 * S, rules).next), [2, false]);
  assert.deepEqual(figures(judge(online, failed("blocked"), T + 30 * S, rules).next), [null, null]);
});

test("a server whose record is right keeps its maximum from the record", () => {
  const verdict = judge(online, answered(5, 255), T + S, { ...rules, trustRecord: true });
  assert.equal(verdict.next.userMaxMeasured, null);
  assert.equal(verdict.next.userOnline, 5);
});

test("an answer that was given earlier (heartbeat) does not move the last answer forward, nor back", () => {
  const outcome: Outcome = { ...answered(2), answeredAt: T + 10 * S } as Outcome;
  assert.equal(judge(online, outcome, T + 40 * S, rules).next.lastAnsweredAt, T + 10 * S);
  const old: Outcome = { ...answered(2), answeredAt: T - 10 * S } as Outcome;
  assert.equal(judge(online, old, T + 40 * S, rules).next.lastAnsweredAt, T);
});

test("docs/watching.md draws every way from one status to another, and no other", () => {
  const RESULTS: Record<string, Outcome[]> = {
    answer: [answered(3)],
    "no answer": [failed("timeout"), failed("no_reply")],
    refused: [failed("refused")],
    unreadable: [failed("malformed")],
    "name lost": [failed("dns")],
    "cannot be asked": [
      failed("blocked"),
      failed("unauthorized"),
      failed("no_address"),
      failed("sealed"),
      failed("silent"),
    ],
    nothing: [failed("network")],
  };
  const seen = new Set<string>();
  const ways = new Set<string>();
  function follow(state: MeasuredState, turn: number) {
    const { status, failure, failuresInRow, lastAnsweredAt } = state;
    const before = `${status} ${failure} ${Math.min(failuresInRow, 3)} ${lastAnsweredAt === null}`;
    if (seen.has(before)) return;
    seen.add(before);
    for (const [result, outcomes] of Object.entries(RESULTS)) {
      for (const outcome of outcomes) {
        const { next, event } = judge(state, outcome, T + turn * rules.intervalMs, rules);
        if (event) ways.add(`${event.from} --> ${event.to}: ${result}`);
        follow(next, turn + 1);
      }
    }
  }
  follow(NEVER_ASKED, 0);
  const page = readFileSync(path.join(import.meta.dirname, "../docs/watching.md"), "utf8");
  const drawn = [...page.matchAll(/^ {2}(\w+ --> \w+): (.+)$/gm)].flatMap(([, way, results = ""]) =>
    results.split(", ").map((result) => `${way}: ${result.replace(/ \(.+\)/, "")}`),
  );
  assert.deepEqual(drawn.sort(), [...ways].sort());
});
