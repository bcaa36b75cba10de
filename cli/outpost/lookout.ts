/** Polls an outpost's game servers on schedule, and stores the last result of each until it is sent. */
import { createAsker, type Outside, type ToAsk } from "#collector/ask.ts";
import { watchForStalls } from "#collector/process-stall.ts";
import { nextTurn } from "#collector/schedule.ts";
import { createSlots } from "#collector/slots.ts";
import type { OutpostTarget, WorkReply } from "#domain/outposts/wire.ts";
import type { Seen } from "./site-link.ts";

const IN_FLIGHT = 100;
const PER_ADDRESS = 2;
const LOOK_EVERY_MS = 100;
/** Polling pauses after this time without contact to the site. */
const OUT_OF_TOUCH_MS = 15_000;
/** More than timers and clock corrections explain: the machine slept, which its monotonic clock didn't count. */
const SLEPT_MS = 2_000;

type Watched = {
  target: OutpostTarget;
  everyMs: number;
  nextAt: number;
  askedAt: number;
  failed: boolean;
  asking: boolean;
};

/**
 * Starts it; polls nothing before `take`.
 * @param options.onSlept called when results were dropped because this machine was suspended
 */
export function startLookout({ outside, onSlept }: { outside: Outside; onSlept: (ms: number) => void }) {
  /** Offset, so that outposts poll at different times. */
  const own = Math.random().toString(36);
  const slots = createSlots(IN_FLIGHT, PER_ADDRESS, () => look());
  const asker = createAsker(outside, slots, () => performance.now());
  const seen = new Map<number, Seen>();
  let watched = new Map<number, Watched>();
  let inTouchUntil = Number.NEGATIVE_INFINITY;
  let life = 0;
  const counts = { asked: 0, answered: 0 };

  /** Drops results from around a suspension: their age is unknown. */
  function forget(): void {
    life++;
    seen.clear();
    asker.forgetShared();
  }
  const stalls = watchForStalls((ms) => {
    forget();
    onSlept(ms);
  });
  let wall = Date.now() - performance.now();
  function noticeSleep(): void {
    const now = Date.now() - performance.now();
    const jump = Math.abs(now - wall);
    wall = now;
    if (jump < SLEPT_MS) return;
    forget();
    onSlept(jump);
  }

  function planNext(one: Watched): void {
    const { target, everyMs } = one;
    one.nextAt = nextTurn(`${own} ${target.target_key}`, everyMs, performance.now());
  }

  async function ask(one: Watched): Promise<void> {
    const { target } = one;
    const begun = life;
    one.asking = true;
    slots.take();
    try {
      const asked = await asker.ask(toAsk(one));
      // A failure to send on our side says nothing about the game server.
      if (asked === null || (!asked.outcome.ok && asked.outcome.failure === "network")) return;
      counts.asked++;
      if (asked.outcome.ok) counts.answered++;
      one.failed = !asked.outcome.ok;
      one.askedAt = asked.began;
      if (begun !== life || stalls.stalledSince(asked.began) || watched.get(target.server_id)?.target !== target)
        return;
      seen.set(target.server_id, {
        server_id: target.server_id,
        target_key: target.target_key,
        failure: asked.outcome.ok ? null : asked.outcome.failure,
        latency_ms: asked.outcome.latencyMs === null ? null : Math.min(60_000, Math.round(asked.outcome.latencyMs)),
        askedAt: asked.began,
      });
    } finally {
      one.asking = false;
      slots.give();
      planNext(one);
    }
  }

  function look(): void {
    noticeSleep();
    const now = performance.now();
    if (now > inTouchUntil) return;
    const due = [...watched.values()].filter(({ nextAt, asking }) => nextAt <= now && !asking);
    due.sort((a, b) => a.nextAt - b.nextAt);
    for (const one of due) {
      if (slots.room() <= 0) return;
      void ask(one);
    }
  }
  const timer = setInterval(look, LOOK_EVERY_MS);

  return {
    /** Takes the site's reply: which game servers to poll, and which of them soon. */
    take({ targets, soon }: WorkReply): void {
      const now = performance.now();
      inTouchUntil = now + OUT_OF_TOUCH_MS;
      if (targets !== null) {
        const before = watched;
        watched = new Map();
        for (const target of targets) {
          const known = before.get(target.server_id);
          const same =
            known?.target.target_key === target.target_key && known.target.interval_ms === target.interval_ms;
          const fresh = { target, everyMs: target.interval_ms, nextAt: 0, askedAt: 0, failed: false, asking: false };
          if (!same) planNext(fresh);
          watched.set(target.server_id, same ? known : fresh);
        }
        for (const id of seen.keys()) if (!watched.has(id)) seen.delete(id);
      }
      const sooner = new Map(soon.map(({ server_id, every_ms }) => [server_id, every_ms]));
      for (const [id, one] of watched) {
        const everyMs = Math.min(sooner.get(id) ?? one.target.interval_ms, one.target.interval_ms);
        if (everyMs < one.everyMs) one.nextAt = Math.min(one.nextAt, Math.max(now, one.askedAt + everyMs));
        one.everyMs = everyMs;
      }
    },
    /** Number of game servers it polls. */
    size: () => watched.size,
    /** Number of waiting results. */
    waiting: () => seen.size,
    /** Returns waiting results, each once; pass undelivered ones to `giveBack`. */
    collect(most: number): Seen[] {
      const collected = [...seen.values()].slice(0, most);
      for (const { server_id } of collected) seen.delete(server_id);
      return collected;
    },
    giveBack(results: Seen[]): void {
      for (const one of results)
        if (!seen.has(one.server_id) && watched.has(one.server_id)) seen.set(one.server_id, one);
    },
    /** Polls and answers since the last call. */
    counts() {
      const told = { ...counts };
      counts.asked = 0;
      counts.answered = 0;
      return told;
    },
    stop(): void {
      clearInterval(timer);
      stalls.stop();
      slots.close();
    },
  };
}

function toAsk({ target, failed }: Watched): ToAsk {
  const { adapter, options, host, game_port, query_port, interval_ms } = target;
  return {
    adapter,
    options,
    secrets: {},
    host,
    gamePort: game_port,
    queryPort: query_port,
    intervalMs: interval_ms,
    claimedUntil: Number.POSITIVE_INFINITY,
    heartbeat: null,
    state: { failuresInRow: failed ? 1 : 0 },
  };
}
