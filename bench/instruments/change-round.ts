/** Changes one after the other, each heard by all streams: how long that takes them. */
import { setTimeout as pause } from "node:timers/promises";
import { percentile } from "./pairs.ts";
import type { StreamReaders } from "./stream-readers.ts";

/** Texts of one length, each another, by which a change is found in a stream. */
export function createMarks(): () => string {
  let version = 0;
  return () => {
    version += 1;
    return `mark-${String(version).padStart(9, "0")}`;
  };
}

/**
 * Sends a change, waits until every stream has it, rests, and so on.
 * @returns the p99 over all streams and all changes, in ms
 * @throws where a change did not reach every stream
 */
export async function roundOfChanges(
  readers: StreamReaders,
  mark: () => string,
  send: (text: string) => unknown,
  { changes = 10, restMs = 50 }: { changes?: number; restMs?: number } = {},
): Promise<number> {
  const waits: number[] = [];
  for (let n = 0; n < changes; n += 1) {
    const text = mark();
    const arrived = await readers.untilAll(text, () => send(text));
    if (arrived.length < readers.count) throw new Error(`a change reached ${arrived.length} of ${readers.count}`);
    waits.push(...arrived);
    await pause(restMs);
  }
  return percentile(waits, 0.99);
}
