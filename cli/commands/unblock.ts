/** `spawnpoint unblock ADDRESS`: unblocks an address or a range on a running site. */
import { readConfig } from "#config";
import { connectDatabase } from "#db/client.ts";
import { liesIn, listIpBlocks, unblockFromConsole } from "#domain/site/ip-blocks.ts";
import { databaseOf } from "../site/running-database.ts";
import { typedCommand } from "../typed-command.ts";
import { readRange } from "./block.ts";

export async function run(args: string[]): Promise<number> {
  const range = readRange(args[0]);
  if (args.length !== 1 || range === null) {
    console.error(`Usage: ${typedCommand("unblock ADDRESS")}    (as \`spawnpoint block --list\` shows it)`);
    return 2;
  }
  const { db, close } = connectDatabase(
    { databaseUrl: await databaseOf(readConfig()) },
    { max: 1, applicationName: "spawnpoint" },
  );
  try {
    const [address = ""] = range.split("/");
    // An admin may have blocked a single IPv6 address in the browser.
    if ((await unblockFromConsole(db, range)) || (await unblockFromConsole(db, args[0]?.trim() ?? ""))) {
      console.log(`${args[0]} may come in again.`);
      return 0;
    }
    const wider = (await listIpBlocks(db)).filter(({ network }) => liesIn([network], address));
    const hint = wider.length > 0 ? ` It lies in ${wider.map(({ network }) => network).join(", ")}: unblock that.` : "";
    console.error(`${args[0]} is not blocked as such.${hint}`);
    return 1;
  } finally {
    await close();
  }
}
