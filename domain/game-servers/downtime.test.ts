import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { MeasuredStatus } from "#shared/statuses.ts";
import { downtimeOf, type Span, type StatusChange } from "./downtime.ts";

const S = 1_000;

/** A change at a second, with what the collector writes beside it in seconds. */
function change(
  at: number,
  from: MeasuredStatus,
  to: MeasuredStatus,
  more: { answered?: number; first?: number; last?: number; failures?: number; failure?: string } = {},
): StatusChange {
  const ms = (seconds: number | undefined) => (seconds === undefined ? null : seconds * S);
  return {
    from,
    to,
    at: at * S,
    lastAnsweredAt: ms(more.answered),
    firstFailedAt: ms(more.first),
    lastFailedAt: ms(more.last),
    failures: more.failures ?? null,
    failure: more.failure ?? (to === "online" ? null : "timeout"),
  };
}

/** In seconds, of the first 1,000. */
function counted(changes: StatusChange[], unwatched: Span[] = [], from = 0, to = 1_000) {
  const { up, down } = downtimeOf(
    changes,
    unwatched.map(([a, b]): Span => [a * S, b * S]),
    from * S,
    to * S,
  );
  const seconds = (spans: Span[]) => spans.map(([a, b]) => [a / S, b / S]);
  return { up: seconds(up), down: seconds(down) };
}

const first = change(100, "unknown", "online");
/** Silent since somewhere between 200 and 230, confirmed at 260, back somewhere between 380 and 440. */
const outage = [
  change(230, "online", "degraded", { answered: 200, first: 230, last: 230, failures: 1 }),
  change(260, "degraded", "offline", { answered: 200, first: 230, last: 260, failures: 3 }),
  change(440, "offline", "online", { answered: 440, last: 380, failures: 5 }),
];

describe("what counts as up and as down", () => {
  test("nothing before the first answer or failure, and nothing of what was never asked", () => {
    assert.deepEqual(counted([]), { up: [], down: [] });
    assert.deepEqual(counted([first]), { up: [[100, 1000]], down: [] });
    const never = [
      change(100, "unknown", "degraded", { first: 100, last: 100, failures: 1 }),
      change(160, "degraded", "offline", { first: 100, last: 160, failures: 3 }),
    ];
    assert.deepEqual(counted(never), { up: [], down: [[100, 1000]] });
    assert.deepEqual(counted(never.slice(0, 1)), { up: [], down: [] }, "a first failure is no verdict");
  });

  test("from the middle of last answer and first failure to the middle of last failure and first answer", () => {
    assert.deepEqual(counted([first, ...outage]), {
      up: [
        [100, 215],
        [410, 1000],
      ],
      down: [[215, 410]],
    });
    assert.deepEqual(counted([first, ...outage], [], 300, 400), { up: [], down: [[300, 400]] }, "a part of it");
    assert.deepEqual(counted(outage.slice(2), [], 300, 1_000), { up: [[410, 1000]], down: [[300, 410]] });
    assert.deepEqual(counted([first, ...outage.slice(0, 2)], [], 0, 300), { up: [[100, 215]], down: [[215, 300]] });
  });

  test("a doubt that goes on is neither; one that an answer ends was none, but for five failures or two refusals", () => {
    const doubt = (failure: string) => change(230, "online", "degraded", { answered: 200, first: 230, failure });
    const back = (failures: number) => change(250, "degraded", "online", { last: 240, failures });
    assert.deepEqual(counted([first, doubt("no_reply")]), { up: [[100, 215]], down: [] });
    const up = { up: [[100, 1000]], down: [] };
    const down = {
      up: [
        [100, 215],
        [245, 1000],
      ],
      down: [[215, 245]],
    };
    for (const [failure, failures, is] of [
      ["no_reply", 1, up],
      ["no_reply", 2, up],
      ["timeout", 4, up],
      ["no_reply", 5, down],
      ["refused", 1, up],
      ["refused", 2, down],
      ["dns", 9, up],
    ] as const)
      assert.deepEqual(counted([first, doubt(failure), back(failures)]), is, `${failures} × ${failure}`);
  });

  test("once nobody can tell it is neither: from the last answer on, or from the doubt on", () => {
    const silent = change(300, "online", "unknown", { answered: 210, failure: "silent" });
    assert.deepEqual(counted([first, silent, change(400, "unknown", "online")]), {
      up: [
        [100, 210],
        [400, 1000],
      ],
      down: [],
    });
    const name = [
      change(230, "online", "degraded", { answered: 200, first: 230, failure: "dns" }),
      change(290, "degraded", "unknown", { answered: 200, first: 230, failure: "dns" }),
    ];
    assert.deepEqual(counted([first, ...name]), { up: [[100, 215]], down: [] });
    assert.deepEqual(counted([first, ...outage.slice(0, 2), change(400, "offline", "unknown")]).down, [[215, 400]]);
    const found = [name[0] as StatusChange, change(290, "degraded", "offline", { answered: 200, failures: 3 })];
    assert.deepEqual(
      counted([first, ...found]).down,
      [[245, 1000]],
      "a name that was lost is no failure of the machine",
    );
  });

  test("while nobody watched it is neither, wherever that lies and however it overlaps", () => {
    const all = [first, ...outage];
    const at = (...unwatched: Span[]) => counted(all, unwatched);
    assert.deepEqual(at([0, 1_000]), { up: [], down: [] });
    assert.deepEqual(at([300, 500]), {
      up: [
        [100, 215],
        [500, 1000],
      ],
      down: [[215, 300]],
    });
    assert.deepEqual(at([350, 360], [250, 300], [290, 310]).down, [
      [215, 250],
      [310, 350],
      [360, 410],
    ]);
    assert.deepEqual(at([150, 300]).up[0], [100, 150]);
    assert.deepEqual(at([300, 300], [400, 350]), counted(all), "no time at all");
  });

  test("changes without times beside them: from the first failure to the first answer", () => {
    const old = outage.map((one) => ({
      ...one,
      lastAnsweredAt: null,
      firstFailedAt: null,
      lastFailedAt: null,
      failures: null,
    }));
    assert.deepEqual(counted([first, ...old]).down, [[230, 440]]);
  });
});
