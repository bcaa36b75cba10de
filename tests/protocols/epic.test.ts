/** A game server that Epic is asked about, as the doctor and the collector see it: who was asked, and what that proves. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createAsker } from "#collector/ask.ts";
import { createSlots } from "#collector/slots.ts";
import { createGameDoctor } from "#domain/game-servers/doctor/doctor.ts";
import { createEpic } from "#outside/epic.ts";
import { EPIC_ACCESS, epicSession, startEpicService } from "./epic-service.ts";

const OPTIONS = { epicGame: "ark_survival_ascended" } as const;

test("the doctor tells of a saved one what Epic says, that it was asked, and never sends what was pasted", async (context) => {
  const service = await startEpicService(context);
  const epic = createEpic({ ark_survival_ascended: EPIC_ACCESS }, { origin: service.origin, gapMs: 0 });
  const at = { host: "127.0.0.1", game_port: 1999, query_port: null };
  const record = { ...at, adapter: "epic" as const, adapter_options: OPTIONS, version: null };
  const doctor = createGameDoctor({ allowCidrs: ["127.0.0.0/8"], epic });
  await doctor.examine("127.0.0.1:1999");
  assert.equal(service.asked.length, 0);

  const causes = async (by = doctor) => (await by.examineRecord(record)).causes[0];
  assert.deepEqual(await causes(), { code: "not_listed", company: "Epic Games", port: 1999 });
  service.sessions.set("127.0.0.1", [epicSession("127.0.0.1", 1999)]);
  const { findings, causes: notes } = await doctor.examineRecord(record);
  assert.deepEqual(
    findings.map(({ adapter, adapter_options, game, players, max_players, game_port, query_port }) => [
      [adapter, adapter_options, game],
      [players, max_players, game_port, query_port],
    ]),
    [
      [
        ["epic", OPTIONS, "ARK: Survival Ascended"],
        [3, 70, 1999, null],
      ],
    ],
  );
  assert.deepEqual(notes, [{ code: "asked_through", company: "Epic Games" }]);
  const unset = createGameDoctor({ allowCidrs: ["127.0.0.0/8"] });
  assert.deepEqual(await causes(unset), { code: "publisher", company: "Epic Games" });
});

test("the collector takes neither latency nor a witness from it", async (context) => {
  const service = await startEpicService(context);
  service.sessions.set("8.8.8.8", [epicSession("8.8.8.8", 7777)]);
  const asker = createAsker(
    {
      resolver: { resolve: async ({ port }) => ({ ok: true, address: "8.8.8.8", port: port ?? 1, family: 4 }) },
      query: (adapter, question) => adapter.query(question),
      epic: createEpic({ ark_survival_ascended: EPIC_ACCESS }, { origin: service.origin, gapMs: 0 }),
    },
    createSlots(10, 2),
    () => 0,
  );
  const server = { adapter: "epic", options: OPTIONS, secrets: {}, host: "ark.example", queryPort: null } as const;
  const rest = { intervalMs: 30_000, claimedUntil: 60_000, heartbeat: null, state: { failuresInRow: 0 } };
  for (const [gamePort, answer] of [
    [7777, 3],
    [7778, "no_reply"],
  ] as const) {
    const asked = await asker.ask({ ...server, ...rest, gamePort });
    assert.ok(asked);
    const { place, outcome } = asked;
    assert.deepEqual(
      [place, outcome.latencyMs, outcome.ok ? outcome.answer.players : outcome.failure],
      [null, null, answer],
    );
  }
});
