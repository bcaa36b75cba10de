/**
 * N6: a site with 5,000 game servers, 250 of them of one game: what the pages weigh before compression, and how long a page
 * takes that is made for one person: a member's dashboard, and a visitor's search, which is never kept.
 */
import { Agent, get } from "node:http";
import { hashPassword } from "#domain/accounts/passwords.ts";
import { createUser } from "#domain/accounts/users.ts";
import { createBrowser } from "#tests/helpers/browser.ts";
import { createTestDatabase } from "#tests/helpers/database.ts";
import { addManyGameServers, LARGEST_GAME } from "#tests/helpers/many-game-servers.ts";
import type { BareOrder } from "./instruments/bare-server.ts";
import { percentile, spreadOf } from "./instruments/pairs.ts";
import { brief, type Row } from "./instruments/row.ts";
import { startBaseline, startSite } from "./instruments/site-process.ts";

const SERVERS = 5_000;
const ROUNDS = 60;
const WARM_UP = 15;
const PASSWORD = "a lamp in the harbour";
const EMAIL = "member@example.org";

/** What a visitor's page may weigh, in KB of 1,000 bytes. */
const WEIGHTS: { path: string; floor: number; goal: number }[] = [
  { path: "/login/", floor: 30, goal: 20 },
  { path: "/contact", floor: 30, goal: 20 },
  { path: "/", floor: 150, goal: 100 },
  { path: "/dashboard", floor: 200, goal: 120 },
  { path: `/games/${LARGEST_GAME}`, floor: 200, goal: 120 },
];

/** @returns a row for each page's weight, and one for each page that is made for whoever asks */
export async function measure(): Promise<Row[]> {
  const database = await createTestDatabase();
  await addManyGameServers(database, { servers: SERVERS });
  await createUser(database.db, {
    email: EMAIL,
    passwordHash: await hashPassword(PASSWORD),
    locale: "en",
    emailVerified: true,
  });
  const site = await startSite({ database });
  const bare = await startBaseline("bare-server.ts");
  try {
    const rows: Row[] = [];
    for (const { path, floor, goal } of WEIGHTS) {
      const bytes = (await ask(`${site.url}${path}`)).bytes.length;
      rows.push({
        claim: "N6",
        what: `${path} with ${SERVERS} game servers, uncompressed`,
        ours: `${bytes} bytes`,
        value: bytes / 1000,
        unit: " KB",
        floor,
        goal,
        better: "less",
      });
    }
    const browser = createBrowser(site.url);
    const signedIn = await browser.post("/login/", { intent: "login", email: EMAIL, password: PASSWORD });
    if (signedIn.status !== 302) throw new Error(`sign-in answered ${signedIn.status}`);
    const cookie = [...browser.cookies].map((pair) => pair.join("=")).join("; ");
    const timed: [string, (n: number) => string, Record<string, string>][] = [
      ["a member's dashboard", () => "/dashboard", { cookie }],
      ["a visitor's search on the dashboard", (n) => `/dashboard?q=harbour+${n % 10}`, {}],
    ];
    for (const [what, path, headers] of timed) {
      const ours = await askAgain((n) => `${site.url}${path(n)}`, headers);
      bare.child.send({
        order: "page",
        headers: ["content-type", "text/html"],
        body: ours.last.toString("base64"),
      } satisfies BareOrder);
      const plain = await askAgain(() => `${bare.url}/`, headers);
      rows.push({
        claim: "N6",
        what: `${what} with ${SERVERS} game servers, made for each request: p95 of ${ROUNDS}`,
        ours: `${brief(percentile(ours.times, 0.5))} ms median`,
        baseline: `${brief(percentile(plain.times, 0.95))} ms for the same bytes, bare`,
        value: percentile(ours.times, 0.95),
        unit: " ms",
        spread: spreadOf(ours.times),
        floor: 300,
        goal: 100,
        better: "less",
      });
    }
    return rows;
  } finally {
    await bare.stop();
    await site.stop();
    await database.drop();
  }
}

/** One after the other; the first ones warm up and are not counted. */
async function askAgain(urlOf: (n: number) => string, headers: Record<string, string>) {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  let last: Buffer = Buffer.alloc(0);
  for (let n = 0; n < ROUNDS + WARM_UP; n += 1) {
    const began = performance.now();
    last = (await ask(urlOf(n), headers, agent)).bytes;
    if (n >= WARM_UP) times.push(performance.now() - began);
  }
  agent.destroy();
  return { times, last };
}

/** The page as it is, uncompressed. */
function ask(url: string, headers: Record<string, string> = {}, agent?: Agent): Promise<{ bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    get(url, { headers, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () => {
        if (response.statusCode === 200) resolve({ bytes: Buffer.concat(chunks) });
        else reject(new Error(`${url} answered ${response.statusCode}`));
      });
    }).on("error", reject);
  });
}
