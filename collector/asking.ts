/** Polls the claimed servers, as many at once as there are slots, and passes the results on. */
import type { DatabaseClock } from "#db/database-clock.ts";
import type { GameAnswer } from "#outside/game-query/answer.ts";
import { type Asked, createAsker } from "./ask.ts";
import type { Claimed } from "./claim.ts";
import type { ClaimsInHand } from "./claims-in-hand.ts";
import type { DetailsKeeper } from "./details.ts";
import type { LoopOptions } from "./loop.ts";
import type { PlayerListKeeper } from "./player-lists.ts";
import { watchForStalls } from "./process-stall.ts";
import type { ResultsQueue } from "./results-queue.ts";
import { BLIND_MS, leaveUntil, leaveUntilNextTurn, type Settler } from "./settle.ts";
import { createSlots } from "./slots.ts";
import { createUnansweredLists } from "./unanswered-lists.ts";

const IN_FLIGHT = 100;
const PER_ADDRESS = 2;
const MOST_ATTEMPTS = 3;

export type Asking = ReturnType<typeof startAsking>;

export type AskingOptions = LoopOptions & {
  clock: DatabaseClock;
  inHand: ClaimsInHand;
  settler: Settler;
  queue: ResultsQueue;
  details: DetailsKeeper;
  playerLists: PlayerListKeeper;
  /** Called after each poll, when there may be room for another. */
  onRoom: () => void;
};

/** Watches for stalls of this process until `stop`; polls on `askAhead`, and when a slot becomes free. */
export function startAsking({
  outside,
  clock,
  inHand,
  settler,
  queue,
  details,
  playerLists,
  log,
  metrics,
  onRoom,
}: AskingOptions) {
  const slots = createSlots(IN_FLIGHT, PER_ADDRESS, askAhead);
  const lists = createUnansweredLists();
  const asker = createAsker(outside, slots, clock.now);
  let closed = false;

  const stalls = watchForStalls((lengthMs) => {
    asker.forgetShared();
    log.warn({ stall_ms: Math.round(lengthMs) }, "this process stood still; what it was waiting for is asked again");
    if (lengthMs > BLIND_MS) settler.blindUntilNow();
  });

  function askAhead(): void {
    while (!closed && slots.room() > 0) {
      const server = inHand.next();
      if (!server) return;
      void askOne(server);
    }
  }

  async function askOne(claimed: Claimed): Promise<void> {
    slots.take();
    const wantsNames = claimed.wantsNames === true && lists.isWorthAsking(claimed.serverId);
    const server = { ...claimed, wantsNames };
    try {
      const asked = await askUndisturbed(server);
      if (asked) metrics?.asked(server.adapter, asked.outcome);
      if (asked?.outcome.ok) keepWhatWasTold(server, asked.outcome.answer);
      await settle(server, asked);
    } catch (error) {
      log.error({ err: error, server_id: server.serverId }, "asking a game server threw");
      queue.add(leaveUntilNextTurn(server, clock.now()), performance.now());
    } finally {
      slots.give();
      if (inHand.wasAsked(server.serverId)) queue.writeSoon();
      askAhead();
      onRoom();
    }
  }

  function keepWhatWasTold(server: Claimed, answer: GameAnswer): void {
    if (answer.details) details.take(server, answer.details);
    if (server.wantsNames) lists.hear(server.serverId, answer.playerNames !== undefined);
    if (answer.playerNames) playerLists.take(server, answer.playerNames);
  }

  /** Polls until no stall of this process disturbed it; null if the claim expires meanwhile. */
  async function askUndisturbed(server: Claimed): Promise<Asked | null> {
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
      const asked = await asker.ask(server);
      if (asked === null || !stalls.stalledSince(asked.began)) return asked;
    }
    return null;
  }

  /** Queues the result unless the claim has been replaced. */
  async function settle({ serverId }: Claimed, asked: Asked | null): Promise<void> {
    // A claim that expired while the server waited for its address may have been renewed.
    const claim = inHand.find(serverId);
    if (!claim) return;
    const result = asked ? settler.settle(claim, asked) : leaveUntil(claim, clock.now());
    const gatheredAt = performance.now();
    const confirmed = settler.needsConfirming(result) ? await settler.confirm(claim, result) : result;
    // Also during the confirmation.
    if (inHand.find(serverId) === claim) queue.add(confirmed, gatheredAt);
  }

  return {
    slots,
    askAhead,
    /** Starts no more queries, waits at most `graceMs` for the running ones. */
    async stop(graceMs: number): Promise<void> {
      closed = true;
      slots.close();
      const until = performance.now() + graceMs;
      while (slots.taken() > 0 && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 10));
      stalls.stop();
    },
  };
}
