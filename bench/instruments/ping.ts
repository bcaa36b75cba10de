/** How long a small answer takes while something else goes on. */
import { Agent, get } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

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
