/**
 * N11: how long the build takes, and `npm test` in an installed checkout, on a machine whose bare node:http answers 20,000 of these
 * home pages a second: the seconds it took here are reckoned over to one, by what a bare node:http server answers here.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import path from "node:path";
import autocannon from "autocannon";
import type { BareOrder } from "./instruments/bare-server.ts";
import { fetchPage } from "./instruments/fetch-page.ts";
import { timed } from "./instruments/pairs.ts";
import type { Row } from "./instruments/row.ts";
import { startBaseline, startSite } from "./instruments/site-process.ts";

const ROOT = path.join(import.meta.dirname, "..");
/** So many home pages a second does the machine answer that floors and goals are for. */
const PAGES_PER_SECOND = 20_000;
const SECONDS = 3;
const SAID = 4_000;

export async function measure(tell: (row: Row) => void): Promise<Row[]> {
  const pages = await barePages();
  // Without it, what is built counts as old.
  rmSync(path.join(ROOT, "build/made-from.txt"), { force: true });
  const build = await timed(() => run("node", ["cli/launch.mjs", "build"]));
  tell(rowOf("the site built anew", build, pages, 20, 8));
  let result = { code: 0, said: "" };
  const test = await timed(async () => {
    result = await run("npm", ["test"], 1);
  });
  const summary = /^\d+ passed, \d+ failed.*$/m.exec(result.said)?.[0] ?? "no summary";
  tell(rowOf(`npm test after installing: ${summary}`, test, pages, 300, 200));
  if (result.code !== 0) throw new Error(`npm test: ${summary}`);
  return [];
}

/** @param pages what a bare node:http answers a second on this machine */
function rowOf(what: string, ms: number, pages: number, floor: number, goal: number): Row {
  const seconds = ms / 1000;
  return {
    claim: "N11",
    what,
    ours: `${seconds.toFixed(1)} s here`,
    baseline: `${pages.toFixed(0)} pages/s bare node:http here`,
    value: (seconds * pages) / PAGES_PER_SECOND,
    unit: " s",
    floor,
    goal,
    better: "less",
  };
}

/** Rejects with what it said last where it ends with more than `mostCode`. */
async function run(program: string, args: string[], mostCode = 0): Promise<{ code: number; said: string }> {
  const { NODE_ENV: _, ...env } = process.env;
  const child = spawn(program, args, { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-SAID);
    });
  const [code] = (await once(child, "close")) as [number | null];
  if (code === null || code > mostCode)
    throw new Error(`${program} ${args.join(" ")} ended with code ${code}: ${said}`);
  return { code, said };
}

/** Of the real page: what asks decodes the bytes, and as many zeros, or random ones, take it another time. */
async function barePages(): Promise<number> {
  const site = await startSite();
  const page = await fetchPage(`${site.url}/`).finally(() => site.stop());
  const server = await startBaseline("bare-server.ts");
  try {
    server.child.send({
      order: "page",
      headers: page.headers.flat(),
      body: page.body.toString("base64"),
    } satisfies BareOrder);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const ask = () => autocannon({ url: `${server.url}/`, connections: 50, duration: SECONDS });
    // Both sides are warm from the second time on, as they are in P1.
    await ask();
    return (await ask()).requests.average;
  } finally {
    await server.stop();
  }
}
