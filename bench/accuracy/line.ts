/** One question over a line that loses packets, as outside/game-query/a2s-query.ts asks it: a challenge, then the answer, each request sent up to four times. */
import type { Asked } from "#collector/ask.ts";
import { answerWithoutFigures } from "#outside/game-query/answer.ts";
import { resendAfterMs } from "#outside/game-query/udp-exchange.ts";
import type { QueryFailure } from "#shared/statuses.ts";
import { createDice } from "./dice.ts";
import { type GameServer, type Outage, spanAt, type World } from "./world.ts";

/** When a request is sent, in ms after the first time. */
const SENT_AFTER_MS = [0, ...resendAfterMs].map((_, i, waits) =>
  waits.slice(0, i + 1).reduce((sum, wait) => sum + wait),
);
const DEADLINE_MS = 2_000;
const ROUNDS = 2;
/** A name that is not found, or a packet that cannot be sent: heard of at once. */
const AT_ONCE_MS = 5;
const ANSWER = { ...answerWithoutFigures, players: 7, maxPlayers: 32 };

export type Reply = Omit<Asked, "began"> & { tookMs: number };

/** Makes the line of a world: what becomes of a question to `server` that is asked at a moment. */
export function openLine(world: World, seed = world.seed + 1) {
  const dice = createDice(seed);
  const silent = new Map<string, [number, number][]>();
  const unreachable = world.cuts.filter(({ how }) => how === "unreachable").map(({ span }) => span);
  for (const { address } of world.servers) {
    if (silent.has(address)) continue;
    const cuts = world.cuts.filter(({ how, addresses }) => how === "silent" && (addresses?.has(address) ?? true));
    silent.set(
      address,
      cuts.map(({ span: [from, to] }) => [from, to]),
    );
  }
  const outages = world.servers.map((server) => server.outages.map(({ span }) => span));

  const isLost = () => dice.happens(world.loss);

  function outageAt(server: GameServer, at: number): Outage | undefined {
    const spans = outages[server.id] ?? [];
    const span = spanAt(spans, at);
    return span === null ? undefined : server.outages[spans.indexOf(span)];
  }

  return function ask(server: GameServer, at: number): Reply {
    const failed = (failure: QueryFailure, tookMs: number): Reply => ({
      outcome: { ok: false, latencyMs: tookMs, failure },
      place: failure === "dns" ? `dns:${server.host}` : server.address,
      tookMs,
    });
    if (spanAt(server.nameLost, at)) return failed("dns", AT_ONCE_MS);
    if (spanAt(unreachable, at)) return failed("network", AT_ONCE_MS);
    const cuts = silent.get(server.address) ?? [];
    let from = at;
    for (let round = 0; round < ROUNDS; round++) {
      let heardAt = Number.POSITIVE_INFINITY;
      for (const after of SENT_AFTER_MS) {
        const sentAt = from + after;
        if (sentAt >= Math.min(heardAt, at + DEADLINE_MS)) break;
        if (isLost() || spanAt(cuts, sentAt)) continue;
        const outage = outageAt(server, sentAt);
        if (outage?.how === "silent" || (outage?.how === "hangs" && round > 0)) continue;
        const backAt = sentAt + server.roundTripMs;
        if (isLost() || spanAt(cuts, backAt)) continue;
        if (outage?.how === "refuses") return failed("refused", backAt - at);
        heardAt = Math.min(heardAt, backAt);
      }
      if (heardAt >= at + DEADLINE_MS) return failed(round > 0 ? "timeout" : "no_reply", DEADLINE_MS);
      from = heardAt;
    }
    const latencyMs = from - at;
    return { outcome: { ok: true, latencyMs, answer: ANSWER }, place: server.address, tookMs: latencyMs };
  };
}
