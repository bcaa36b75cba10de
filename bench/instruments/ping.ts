/** How long a small answer takes while something else goes on. */
import { Agent, get } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { median, percentile, spreadOf } from "./pairs.ts";
import type { Row } from "./row.ts";

/** Asks every 20 ms over one connection until `signal`, and notes the milliseconds. */
export async function ping(url: string, signal: AbortSignal, times: number[]): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  while (!signal.aborted) {
    const began = performance.now();
    await new Promise<void>((resolve, reject) => {
      get(url, { agent }, (response) => response.resume().on("end", resolve)).on("error", reject);
    });
    times.push(performance.now() - began);
    await pause(20);
  }
  agent.destroy();
}

/** The row of what `ping` noted at /livez while a claim's work went on. */
export function rowOfAlive(claim: string, times: readonly number[]): Row {
  return {
    claim,
    what: `/livez meanwhile, p99 of ${times.length}`,
    ours: `${median(times).toFixed(0)} ms median`,
    value: percentile(times, 0.99),
    unit: " ms",
    spread: spreadOf(times),
    floor: 50,
    goal: 15,
    better: "less",
  };
}
