/**
 * P9: sign-ins a second ÷ bare argon2id calls a second (same parameters, as many at once), and how long the event loop is
 * held up meanwhile. Whole requests: form, limits, password, session, audit log, cookies. The browsers run in this process
 * as well, so their work counts against us.
 */
import { argon2, randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { pino } from "pino";
import { readConfig } from "#config";
import { ARGON2, hashPassword } from "#domain/passwords.ts";
import { createUser } from "#domain/users.ts";
import { createTestDatabase } from "#tests/helpers/database.ts";
import { startWeb } from "#web/server.ts";

const AT_ONCE = 8;
const A_ROUND = 64;
const PAIRS = 8;
const ACCOUNTS = 64;
const PASSWORD = "a lamp in the harbour";

const database = await createTestDatabase();
const dataDir = await mkdtemp(path.join(tmpdir(), "bench-"));
const config = readConfig({
  PORT: "0",
  DATABASE_URL: database.url,
  DATA_DIR: dataDir,
  TRUST_PROXY: "1",
  LOG_LEVEL: "silent",
});
const web = await startWeb(config, { log: pino({ level: "silent" }) });
const passwordHash = await hashPassword(PASSWORD);
for (let n = 0; n < ACCOUNTS; n += 1) {
  await createUser(database.db, { email: `member-${n}@example.org`, passwordHash, locale: "en", emailVerified: true });
}

const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
let count = 0;

function signIn(): Promise<void> {
  count += 1;
  const n = count;
  const body = `intent=login&email=member-${n % ACCOUNTS}%40example.org&password=${encodeURIComponent(PASSWORD)}`;
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        agent,
        port: web.port,
        method: "POST",
        path: "/login/",
        headers: {
          "Content-Type": "application/x-www-form-urlencoded",
          "Content-Length": body.length,
          "Sec-Fetch-Site": "same-origin",
          "X-Forwarded-For": `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`,
        },
      },
      (answer) => {
        answer.resume();
        answer.on("end", () =>
          answer.statusCode === 302 ? resolve() : reject(new Error(`sign-in answered ${answer.statusCode}`)),
        );
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

function bare(): Promise<void> {
  const parameters = { message: PASSWORD, nonce: randomBytes(16), tagLength: 32, ...ARGON2 };
  return new Promise((resolve, reject) =>
    argon2("argon2id", parameters, (error) => (error ? reject(error) : resolve())),
  );
}

/** How many a second, with AT_ONCE running at any time. */
async function rate(work: () => Promise<void>): Promise<number> {
  let left = A_ROUND;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left > 0) {
        left -= 1;
        await work();
      }
    }),
  );
  return (A_ROUND / (performance.now() - start)) * 1000;
}

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

await rate(signIn);
await rate(bare);
const delay = monitorEventLoopDelay({ resolution: 1 });
const ratios: number[] = [];
const rates = { ours: [] as number[], bare: [] as number[] };
for (let pair = 0; pair < PAIRS; pair += 1) {
  const ours = async () => {
    delay.enable();
    const value = await rate(signIn);
    delay.disable();
    return value;
  };
  // A B B A.
  const first = pair % 2 === 0 ? await ours() : await rate(bare);
  const second = pair % 2 === 0 ? await rate(bare) : await ours();
  const [a, b] = pair % 2 === 0 ? [first, second] : [second, first];
  rates.ours.push(a);
  rates.bare.push(b);
  ratios.push(a / b);
}
const held = delay.percentile(99) / 1e6;
console.log(
  `sign-ins ${median(rates.ours).toFixed(1)}/s, bare argon2id ${median(rates.bare).toFixed(1)}/s, ${AT_ONCE} at once`,
);
console.log(`P9 ratio, median of ${PAIRS} pairs: ${median(ratios).toFixed(3)} (floor 0.70, goal 0.85)`);
console.log(`P9 event-loop delay meanwhile, p99: ${held.toFixed(1)} ms (at most 25)`);

agent.destroy();
await web.stop();
await database.drop();
await rm(dataDir, { recursive: true });
process.exit(median(ratios) >= 0.7 && held <= 25 ? 0 : 1);
