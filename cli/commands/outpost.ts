/** `spawnpoint outpost SITE_URL`: polls a site's game servers from this machine, with Node alone, until it is stopped. */
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { parseArgs } from "node:util";
import { query } from "#collector/ask.ts";
import { readConfig } from "#config";
import { isOutpostToken } from "#domain/outposts/wire.ts";
import { createGameAddressResolver } from "#outside/game-address.ts";
import installed from "../../package.json" with { type: "json" };
import { runOutpost } from "../outpost/run-outpost.ts";
import { createLog } from "../process/log.ts";

const USAGE = `Usage: spawnpoint outpost SITE_URL

SITE_URL is the site's address, such as https://play.example.org; without it the setting SITE_URL counts.
The token is made in the admin area, under Outposts. It is read from OUTPOST_TOKEN, or from the file that OUTPOST_TOKEN_FILE
names. --token TOKEN works, too, but everybody on this machine can read it there.`;

/** Exit code that needs no restart: no setting, or an invalid token (EX_CONFIG of sysexits.h). */
const NOT_SET_UP = 78;

export async function run(args: string[]): Promise<number> {
  const config = readConfig();
  const asked = readArgs(args, config);
  if ("problem" in asked) {
    console.error(asked.problem);
    return NOT_SET_UP;
  }
  const log = createLog(config, "outpost");
  const told = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => told.abort());
  const end = await runOutpost({
    ...asked,
    version: installed.version,
    // Private addresses here are never the site's game servers, whatever it says: none is allowed.
    outside: { resolver: createGameAddressResolver({ allowCidrs: [] }), query },
    log,
    signal: told.signal,
  });
  return end === "refused" ? NOT_SET_UP : 0;
}

function readArgs(
  args: string[],
  config: ReturnType<typeof readConfig>,
): { siteUrl: string; token: string } | { problem: string } {
  const read = parse(args);
  if (read === null) return { problem: USAGE };
  const typed = read.siteUrl ?? (config.anyAddress ? undefined : config.siteUrl);
  if (typed === undefined) return { problem: USAGE };
  const url = URL.canParse(typed) ? new URL(typed) : null;
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.pathname !== "/" ||
    url.search ||
    url.hash ||
    url.username
  ) {
    return { problem: `"${typed}" is no address of a site: it is written like https://play.example.org` };
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    return { problem: `The token would go over the network in the clear: write https://${url.host}` };
  }
  const file = config.outpostTokenFile;
  const token = read.token ?? config.outpostToken ?? (file === undefined ? undefined : tokenIn(file));
  if (token === null) return { problem: `OUTPOST_TOKEN_FILE cannot be read: ${file}` };
  if (token === undefined) return { problem: `There is no token.\n\n${USAGE}` };
  if (!isOutpostToken(token))
    return { problem: "That is no token of an outpost: it begins with spo_ and has 47 characters." };
  return { siteUrl: url.origin, token };
}

function parse(args: string[]): { siteUrl: string | undefined; token: string | undefined } | null {
  try {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { token: { type: "string" } } });
    return positionals.length > 1 ? null : { siteUrl: positionals[0], token: values.token };
  } catch {
    return null;
  }
}

/** Null: unreadable. */
function tokenIn(file: string): string | null {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return null;
  }
}

const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "[::1]" || (isIP(host) === 4 && host.startsWith("127."));
