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
import { createUser } from "#domain/members/users.ts";
import { ARGON2, hashPassword } from "#domain/sign-in/passwords.ts";
import { createTestDatabase } from "#tests/helpers/database.ts";
import { startWeb } from "#web/server.ts";
import { measurePairs, pairsWanted, rowOfPairs } from "./instruments/pairs.ts";
import type { Row } from "./instruments/row.ts";

const AT_ONCE = 8;
const A_ROUND = 64;
const ACCOUNTS = 64;
const PASSWORD = "a lamp in the harbour";

export async function measure(): Promise<Row[]> {
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
    await createUser(database.db, {
      email: `member-${n}@example.org`,
      passwordHash,
      locale: "en",
      emailVerified: true,
    });
  }
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  let count = 0;
  const signInNext = () => {
    count += 1;
    return signIn(agent, web.port, count);
  };
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const ours = async () => {
    delay.enable();
    const value = await rate(signInNext);
    delay.disable();
    return value;
  };
  try {
    await rate(signInNext);
    await rate(bare);
    const pairs = await measurePairs(ours, () => rate(bare), pairsWanted(8));
    return [
      {
        claim: "P9",
        what: `sign-ins, ${AT_ONCE} at once ÷ bare argon2id calls`,
        ...rowOfPairs(pairs, "/s"),
        floor: 0.7,
        goal: 0.85,
        better: "more",
      },
      {
        claim: "P9",
        what: "event-loop delay meanwhile, p99",
        ours: `${(delay.percentile(50) / 1e6).toFixed(1)} ms median`,
        value: delay.percentile(99) / 1e6,
        unit: " ms",
        floor: 15,
        goal: 10,
        better: "less",
      },
    ];
  } finally {
    agent.destroy();
    await web.stop();
    await database.drop();
    await rm(dataDir, { recursive: true });
  }
}

/** The `n`th sign-in, of one of the accounts, from an address that nobody has used. */
function signIn(agent: Agent, port: number, n: number): Promise<void> {
  const body = `intent=login&email=member-${n % ACCOUNTS}%40example.org&password=${encodeURIComponent(PASSWORD)}`;
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        agent,
        port,
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
