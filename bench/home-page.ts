/** P1: the home page for visitors, requests per second ÷ a bare node:http server that sends the same bytes and headers. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import autocannon from "autocannon";
import { seedFirstContent } from "#content/first-content.ts";
import { createTestDatabase } from "#tests/helpers/database.ts";

const PAIRS = 8;
const SECONDS = 3;
const FLOOR = 0.7;
const GOAL = 0.85;
const ENCODING = { "accept-encoding": "br" };

const root = path.join(import.meta.dirname, "..");
const database = await createTestDatabase();
await seedFirstContent(database.db);
await database.sql`update gameserver set host = '192.0.2.1', visibility = 'public'`;

const site = await startChild([path.join(root, "cli", "spawnpoint.ts"), "web"], {
  DATABASE_URL: database.url,
  PORT: "3691",
  LOG_LEVEL: "warn",
});
const ours = "http://127.0.0.1:3691/";
const page = await waitFor(ours);
const headers = [...page.headers].filter(([name]) => !["date", "connection", "keep-alive"].includes(name)).flat();
const body = Buffer.from(page.body);
const bare = await startChild([
  "--input-type=module",
  "-e",
  `
  import { createServer } from "node:http";
  const headers = ${JSON.stringify(headers)};
  const body = Buffer.from(${JSON.stringify(body.toString("base64"))}, "base64");
  createServer((request, response) => { response.writeHead(200, headers); response.end(body); }).listen(3692, "127.0.0.1");
`,
]);
const baseline = "http://127.0.0.1:3692/";
const copy = await waitFor(baseline);
if (!Buffer.from(copy.body).equals(body)) throw new Error("the baseline does not send the same bytes");

const ratios: number[] = [];
const rates: { ours: number[]; baseline: number[] } = { ours: [], baseline: [] };
await measure(ours);
await measure(baseline);
for (let pair = 0; pair < PAIRS; pair += 1) {
  // A B, then B A: a drift of the machine hits both alike.
  const first = pair % 2 === 0;
  const a = first ? await measure(ours) : 0;
  const b = await measure(baseline);
  const a2 = first ? a : await measure(ours);
  rates.ours.push(a2);
  rates.baseline.push(b);
  ratios.push(a2 / b);
}
site.kill("SIGTERM");
bare.kill("SIGTERM");
await once(site, "exit");
await database.drop();

const median = (list: number[]) => [...list].sort((x, y) => x - y)[Math.floor(list.length / 2)] ?? 0;
console.log(`home page, ${body.length} bytes (br), ${PAIRS} pairs of ${SECONDS} s, 50 connections`);
console.log(`ours ${Math.round(median(rates.ours))} req/s, bare node:http ${Math.round(median(rates.baseline))} req/s`);
console.log(
  `P1 ratio ${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}), floor ${FLOOR}, goal ${GOAL}`,
);
process.exit(median(ratios) >= FLOOR ? 0 : 1);

async function measure(url: string): Promise<number> {
  const result = await autocannon({ url, connections: 50, duration: SECONDS, headers: ENCODING });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} errors`);
  return result.requests.average;
}

async function startChild(args: string[], env: Record<string, string> = {}): Promise<ChildProcess> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (child.stdout) createInterface({ input: child.stdout }).on("line", () => {});
  return child;
}

/** The page as it travels: still compressed, so that the baseline can send the same bytes. */
async function waitFor(url: string): Promise<{ headers: [string, string][]; body: Buffer }> {
  const { get } = await import("node:http");
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const answer = await new Promise<{ headers: [string, string][]; body: Buffer } | null>((resolve) => {
      get(url, { headers: ENCODING }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk) => chunks.push(chunk));
        response.on("end", () =>
          resolve(
            response.statusCode === 200
              ? { headers: Object.entries(response.headers) as [string, string][], body: Buffer.concat(chunks) }
              : null,
          ),
        );
      }).on("error", () => resolve(null));
    });
    if (answer) return answer;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${url} did not answer`);
}
