// Blocks the addresses that an admin has blocked: caches the ranges in memory, rereads them on change, lets each expire.
import { BlockList } from "node:net";
import type { Logger } from "pino";
import type { Database } from "#db/client.ts";
import { isBlocked, listIpBlocks, readNetwork } from "#domain/site/ip-blocks.ts";

export type IpBlocklist = {
  /** Checks whether an address is blocked; `ip` is only called while there are blocks. */
  refuses(ip: () => string): boolean;
  stop(): Promise<void>;
};

const LONGEST_TIMER_MS = 24 * 3600 * 1000;
const RETRY_MS = 5_000;

/** Reads the blocks, then follows changes; calls `changed` after each reread. Rejects if the first read fails. */
export async function startIpBlocklist(
  { db, listen }: Pick<Database, "db" | "listen">,
  log: Logger,
  changed: (refuses: IpBlocklist["refuses"]) => void,
): Promise<IpBlocklist> {
  let list = new BlockList();
  let empty = true;
  const refuses: IpBlocklist["refuses"] = (ip) => !empty && isBlocked(list, ip());
  let timer: ReturnType<typeof setTimeout> | undefined;
  let newest = 0;

  async function read() {
    newest += 1;
    const mine = newest;
    const blocks = await listIpBlocks(db);
    // A later read is newer.
    if (mine !== newest) return;
    list = new BlockList();
    for (const { network } of blocks) {
      const range = readNetwork(network);
      if (range) list.addSubnet(range.address, range.bits, range.family === 4 ? "ipv4" : "ipv6");
    }
    empty = blocks.length === 0;
    const next = blocks[0]?.blocked_until.getTime();
    again(next === undefined ? LONGEST_TIMER_MS : Math.min(LONGEST_TIMER_MS, Math.max(0, next - Date.now()) + 50));
  }
  function again(ms: number) {
    clearTimeout(timer);
    timer = setTimeout(readSoon, ms);
    timer.unref();
  }
  function readSoon() {
    read().then(
      () => changed(refuses),
      (error) => {
        log.warn({ err: error }, "blocked addresses could not be read; those that are known stay blocked");
        again(RETRY_MS);
      },
    );
  }

  // Reread after each reconnect: notifications may have been lost.
  const subscription = await listen("ip_blocks", readSoon, readSoon);
  await read();
  return {
    refuses,
    async stop() {
      clearTimeout(timer);
      newest += 1;
      await subscription.unlisten();
    },
  };
}
