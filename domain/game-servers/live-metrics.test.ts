/** What people are shown of a measurement, and for how long: the lifecycle wins, and no count is shown that nobody has asked for lately. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { GameServer } from "./game-servers.ts";
import { type LiveMetrics, presentLiveRow } from "./live-metrics.ts";

const NOW = Date.UTC(2026, 10, 20);

function show(
  status: LiveMetrics["status"],
  lifecycle: GameServer["lifecycle"],
  askedAgoS: number | null,
  intervalS = 30,
  hasAnswered = true,
) {
  const measured = {
    server_id: 1,
    status,
    user_online: 37,
    map: "hills",
    first_asked_at: null,
    last_asked_at: askedAgoS === null ? null : new Date(NOW - askedAgoS * 1000),
    has_answered: hasAnswered,
  } as LiveMetrics;
  const row = presentLiveRow(measured, { server_id: 1, lifecycle } as GameServer, intervalS, NOW);
  return [row.status, row.user_online, row.map];
}

test("after three intervals nobody knows, and no count is shown; an offline one is asked less often", () => {
  assert.deepEqual(show("online", "active", null), ["unknown", null, null]);
  assert.deepEqual(show("online", "active", 91), ["unknown", null, null]);
  assert.deepEqual(show("online", "active", 89), ["online", 37, "hills"]);
  assert.deepEqual(show("offline", "active", 89), ["offline", null, null]);
  assert.deepEqual(show("offline", "active", 91), ["unknown", null, null]);
  assert.deepEqual(show("offline", "active", 89, 10), ["offline", null, null]);
  assert.deepEqual(show("online", "active", 31, 10), ["unknown", null, null]);
});

test("one in maintenance or inactive says so whatever its age, and shows no players", () => {
  assert.deepEqual(show("online", "maintenance", 10), ["maintenance", null, null]);
  assert.deepEqual(show("online", "maintenance", 5 * 24 * 3600), ["maintenance", null, null]);
  assert.deepEqual(show("online", "retired", 10), ["inactive", null, null]);
});

test("an unknown server says why, where the last check says it", () => {
  const reasonOf = (
    status: LiveMetrics["status"],
    failure: LiveMetrics["failure"],
    { askedAgoS = 10, has_answered = true } = {},
  ) => {
    const last_asked_at = new Date(NOW - askedAgoS * 1000);
    const measured = { server_id: 1, status, failure, last_asked_at, has_answered } as LiveMetrics;
    return presentLiveRow(measured, { server_id: 1, lifecycle: "active" } as GameServer, 30, NOW).unknown_reason;
  };
  assert.equal(reasonOf("unknown", "malformed"), "unreadable");
  assert.equal(reasonOf("unknown", "no_reply", { has_answered: false }), "no_answer");
  assert.equal(reasonOf("unknown", "no_reply"), undefined, "it has answered before");
  assert.equal(reasonOf("unknown", "malformed", { askedAgoS: 91 }), undefined, "of an old check nothing is said");
  assert.equal(reasonOf("unknown", "silent"), undefined);
  for (const status of ["online", "degraded", "offline"] as const) {
    assert.equal(reasonOf(status, "malformed"), undefined, status);
  }
});

test("one that has never answered is not in doubt but unknown, until it is found up or down", () => {
  assert.deepEqual(show("degraded", "active", 10), ["degraded", 37, "hills"]);
  assert.deepEqual(show("degraded", "active", 10, 30, false), ["unknown", null, null]);
  assert.deepEqual(show("offline", "active", 10, 30, false), ["offline", null, null]);
});
