/**
 * What others would have said of the same world, by the rules that they document. They get our questions, with our
 * retransmits, so that only the rules differ.
 */
import type { MeasuredStatus } from "#shared/statuses.ts";
import { createAgenda } from "./agenda.ts";
import { createDice } from "./dice.ts";
import { openLine } from "./line.ts";
import type { Said } from "./score.ts";
import { type GameServer, spanAt, type World } from "./world.ts";

/** A rule: asked so often, down after so many failures in a row, up on one answer. */
export type PeerRule = { name: string; everyMs: number; failures: number };

/**
 * - Uptime Kuma: a heartbeat every 60 s; "Maximum retries before the service is marked as down" (src/lang/en.json,
 *   `retriesDescription`), each 60 s after the one before; with two of them it is the third failure in a row that counts.
 * - DiscordGSM: every 60 s (`TASK_QUERY_SERVER`, its documented default, 15 at the least); one failure is "offline".
 */
export const PEERS: readonly PeerRule[] = [
  { name: "Uptime Kuma", everyMs: 60_000, failures: 3 },
  { name: "DiscordGSM", everyMs: 60_000, failures: 1 },
];

/** Its changes of status, in a world. */
export function watchAs({ everyMs, failures }: PeerRule, world: World): Said[] {
  const dice = createDice(world.seed + 2);
  const ask = openLine(world);
  const changes: Said[] = [];
  const agenda = createAgenda<{ server: GameServer; began: number; answered: boolean | null }>();
  const known = new Map<number, { status: MeasuredStatus; failed: number; failingSince: number }>();
  for (const server of world.servers) {
    agenda.note(dice.between(0, everyMs), { server, began: 0, answered: null });
  }
  for (let next = agenda.take(); next && next.at <= world.forMs; next = agenda.take()) {
    const stall = spanAt(world.stalls, next.at);
    if (stall && next.at < stall[1]) {
      agenda.note(stall[1], next.what);
      continue;
    }
    const { at } = next;
    const { server, began, answered } = next.what;
    if (answered === null) {
      const { outcome, tookMs } = ask(server, at);
      agenda.note(at + tookMs, { server, began: at, answered: outcome.ok });
      continue;
    }
    const before = known.get(server.id) ?? { status: "unknown", failed: 0, failingSince: 0 };
    const failed = answered ? 0 : before.failed + 1;
    const status = answered ? "online" : failed >= failures ? "offline" : before.status;
    const failingSince = failed === 1 ? began : before.failingSince;
    if (status !== before.status) {
      changes.push({ serverId: server.id, from: before.status, to: status, at, askedAt: began, failingSince });
    }
    known.set(server.id, { status, failed, failingSince });
    agenda.note(Math.max(began + everyMs, at), { server, began: 0, answered: null });
  }
  return changes;
}
