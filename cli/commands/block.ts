/** `spawnpoint block ADDRESS` blocks an address or a range on a running site; `--list` shows blocked ones. */
import { parseArgs } from "node:util";
import { readConfig } from "#config";
import { connectDatabase } from "#db/client.ts";
import { adminsWithin, blockFromConsole, liesIn, listIpBlocks, readNetwork } from "#domain/site/ip-blocks.ts";
import { databaseOf } from "../site/running-database.ts";
import { typedCommand } from "../typed-command.ts";

const USAGE = `Usage: ${typedCommand("block ADDRESS")} [--for 24h] [--reason WORDS] [--force]
       ${typedCommand("block --list")}

ADDRESS is 192.0.2.7, 192.0.2.0/24, 2001:db8:1:2::7 (which stands for its /64) or 2001:db8::/32.
--for takes minutes, hours or days: 30m, 24h, 7d; 365d at most.`;

const UNIT_S = { m: 60, h: 3600, d: 24 * 3600 };
const MOST_S = 365 * UNIT_S.d;
/** Addresses of proxies and of this machine: blocking them would block everyone. */
const OWN = ["127.0.0.0/8", "::1/128"];

export async function run(args: string[]): Promise<number> {
  const asked = readArgs(args);
  if (asked === null) {
    console.error(USAGE);
    return 2;
  }
  const { db, close } = connectDatabase(
    { databaseUrl: await databaseOf(readConfig()) },
    { max: 1, applicationName: "spawnpoint" },
  );
  try {
    if (asked === "list") {
      const blocks = await listIpBlocks(db);
      for (const { network, blocked_until, reason } of blocks)
        console.log(`${network.padEnd(20)} until ${spell(blocked_until)}  ${reason}`);
      if (blocks.length === 0) console.log("Nobody is blocked.");
      return 0;
    }
    const { network, force } = asked;
    const admins = await adminsWithin(db, network);
    const why = holdsOwn(network)
      ? "that is this machine itself, or the proxy in front of the site: everybody may come from there"
      : admins.length > 0
        ? `an admin is signed in from ${admins.join(", ")}`
        : null;
    if (why !== null && !force) {
      console.error(`${network} was not blocked: ${why}. With --force it is blocked all the same.`);
      return 1;
    }
    const made = await blockFromConsole(db, asked);
    console.log(`${made.network} is blocked until ${spell(made.blocked_until)}. Its open connections are cut.`);
    console.log(`To let it in again: ${typedCommand(`unblock ${made.network}`)}`);
    return 0;
  } finally {
    await close();
  }
}

/**
 * Parses a range to block: one IPv6 address becomes its /64 network, because a household could use another address for each
 * request. Null: invalid, or too wide.
 */
export function readRange(text: string | undefined): string | null {
  const network = readNetwork(text?.trim().toLowerCase() ?? "");
  if (!network) return null;
  const bits = network.family === 6 && !text?.includes("/") ? 64 : network.bits;
  return `${network.address}/${bits}`;
}

function readArgs(args: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        for: { type: "string", default: "24h" },
        reason: { type: "string", default: "blocked from the console" },
        force: { type: "boolean", default: false },
        list: { type: "boolean", default: false },
      },
    });
    if (values.list) return positionals.length === 0 ? ("list" as const) : null;
    const network = readRange(positionals[0]);
    const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(values.for) ?? [];
    const seconds = Number(count) * UNIT_S[unit as keyof typeof UNIT_S];
    const reason = values.reason.trim().slice(0, 200);
    if (network === null || positionals.length !== 1 || !(seconds > 0 && seconds <= MOST_S) || reason === "")
      return null;
    return { network, seconds, reason, force: values.force };
  } catch {
    return null;
  }
}

const holdsOwn = (network: string): boolean =>
  liesIn(OWN, network.split("/")[0] ?? "") || ["127.0.0.1", "::1"].some((ip) => liesIn([network], ip));

const spell = (date: Date): string => `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;
