/** A whole site for one journey: `spawnpoint start` as an operator runs it, on a database of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import type { BrowserContext } from "@playwright/test";
import { seedDemoContent } from "#demo/demo-content.ts";
import { createTestDatabase, type TestDatabase } from "../helpers/database.ts";
import { PATIENT } from "../helpers/programs/patient-settings.ts";

const root = path.join(import.meta.dirname, "..", "..");

export type Site = {
  url: string;
  intervalS: number;
  sql: TestDatabase["sql"];
  db: TestDatabase["db"];
  /** Where it keeps its files: the outbox, the avatars. */
  dataDir: string;
  /** What the start has printed so far, line by line: the link of a fresh site comes after its address. */
  printed: readonly string[];
  stop(): Promise<void>;
};

/**
 * Starts it with an interval of two seconds; game servers on loopback may be asked. Resolves when it answers.
 * It has the demo's games and game servers, those without an address hidden; `fresh`: it has none, as an operator's has.
 */
export async function startSite(
  options: { demo?: boolean; fresh?: boolean; env?: Record<string, string> } = {},
): Promise<Site> {
  const intervalS = 2;
  const database = await createTestDatabase();
  if (!options.demo && !options.fresh) await seedDemoContent(database.db);
  const dataDir = await mkdtemp(path.join(tmpdir(), "spawnpoint-journey-"));
  const child = spawn(
    process.execPath,
    [path.join(root, "cli", "spawnpoint.ts"), "start", ...(options.demo ? ["--demo"] : [])],
    {
      env: {
        ...process.env,
        PORT: "0",
        SITE_URL: "",
        DATA_DIR: dataDir,
        DATABASE_URL: database.url,
        POLL_INTERVAL_S: String(intervalS),
        PROBE_ALLOW_CIDRS: "127.0.0.0/8",
        LOG_LEVEL: "warn",
        ...PATIENT,
        ...options.env,
      },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const printed: string[] = [];
  const url = await addressOf(child, printed);
  let stopping: Promise<void> | undefined;
  async function end() {
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  }
  return {
    url,
    intervalS,
    sql: database.sql,
    db: database.db,
    dataDir,
    printed,
    stop() {
      stopping ??= end();
      return stopping;
    },
  };
}

/** @param printed is given every line, also those after the address */
function addressOf(child: ChildProcess, printed: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    if (!child.stdout) return reject(new Error("nothing to read from"));
    const lines = createInterface({ input: child.stdout });
    lines.on("line", (line) => {
      printed.push(line);
      const url = /^Spawnpoint is at (http:\S+)/.exec(line)?.[1];
      if (url) resolve(url);
    });
    lines.on("close", () => reject(new Error("the site ended before it was ready; its reason is above")));
  });
}

/** Logs in without the form. */
export async function logIn(context: BrowserContext, url: string, email: string, password: string): Promise<void> {
  const answer = await context.request.post(`${url}/login/`, {
    form: { intent: "login", email, password },
    headers: { "Sec-Fetch-Site": "same-origin", Origin: url },
    maxRedirects: 0,
  });
  if (answer.status() !== 302) throw new Error(`${email} could not log in: ${answer.status()}`);
}
