/** Hears, over all machines, that a game server has fallen due before its turn: somebody waits for it, or it told of news itself. */
import { setTimeout as pause } from "node:timers/promises";
import { connectDatabase } from "#db/client.ts";
import { DUE_CHANNEL } from "#domain/game-servers/due-channel.ts";

const AGAIN_MS = 5_000;

/**
 * Calls `onDue` for each such word, for each change of what an admin sets, and after each time in which words may have been lost.
 * Needs no database at once: it goes on trying. Returns what ends it.
 */
export function hearOfDue(config: { databaseUrl?: string | undefined }, onDue: () => void): () => Promise<void> {
  const ending = new AbortController();
  const listening = listen(config, onDue, ending.signal);
  return async () => {
    ending.abort();
    await listening;
  };
}

async function listen(config: { databaseUrl?: string | undefined }, onDue: () => void, ending: AbortSignal) {
  while (!ending.aborted) {
    // A driver whose first attempt to listen has failed never tries again.
    const { sql, close } = connectDatabase(config, { max: 1, applicationName: "spawnpoint collector" });
    try {
      await Promise.all([sql.listen(DUE_CHANNEL, onDue, onDue), sql.listen("catalog", onDue, onDue)]);
      // An end that came while it connected is told by no event any more.
      if (!ending.aborted) await new Promise((resolve) => ending.addEventListener("abort", resolve));
    } catch {
      await pause(AGAIN_MS, undefined, { signal: ending }).catch(() => {});
    } finally {
      await close();
    }
  }
}
