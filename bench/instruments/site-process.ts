/** One process of the site, or of a baseline, for a bench to measure from outside. */
import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { seedDemoContent } from "#demo/demo-content.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";

const ROOT = path.join(import.meta.dirname, "../..");

export type SiteProcess = {
  url: string;
  port: number;
  pid: number;
  database: TestDatabase;
  stop(): Promise<void>;
};

/**
 * Starts `spawnpoint web` on a database of its own with the demo's games, all their game servers public.
 * @param options.nodeArgs for the Node that runs it
 * @param options.database of another one that has ended, which it goes on with and leaves behind
 */
export async function startSite(
  options: {
    env?: Record<string, string>;
    nodeArgs?: string[];
    command?: "web" | "collector";
    database?: TestDatabase;
  } = {},
): Promise<SiteProcess> {
  const database = options.database ?? (await createTestDatabase());
  if (!options.database) {
    await seedDemoContent(database.db);
    await database.sql`update gameserver set host = '192.0.2.1', visibility = 'public'`;
  }
  const child = spawn(
    process.execPath,
    [...(options.nodeArgs ?? []), path.join(ROOT, "cli", "spawnpoint.ts"), options.command ?? "web"],
    {
      env: {
        ...process.env,
        NODE_ENV: "production",
        DATABASE_URL: database.url,
        PORT: "0",
        SITE_URL: "",
        TRUST_PROXY: "1",
        WEB_WORKERS: "1",
        LOG_LEVEL: "fatal",
        ...options.env,
      },
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    },
  );
  const port = await readyPort(child);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    pid: child.pid ?? 0,
    database,
    async stop() {
      await end(child);
      if (!options.database) await database.drop();
    },
  };
}

/**
 * Has one game server answer anew, so that every browser is told that shows it; `text` marks the event.
 * @param serverId the first one unless told
 */
export function changeOneRow({ sql }: TestDatabase, text: string, serverId: number | null = null) {
  return sql`
    update gameserver_live_metrics set status = 'online', status_since = now(), user_online = ${text.length % 60}, map = ${text},
      last_asked_at = now(), last_answered_at = now()
    where server_id = coalesce(${serverId}::int, (select min(server_id) from gameserver))`;
}

/** A baseline in a process of its own: a file of this folder that says `{ ready, port }` when it listens. */
export async function startBaseline(file: string, nodeArgs: string[] = []) {
  const child = fork(path.join(import.meta.dirname, file), { execArgv: nodeArgs });
  const port = await readyPort(child);
  return { url: `http://127.0.0.1:${port}`, port, pid: child.pid ?? 0, child, stop: () => end(child) };
}

async function readyPort(child: ChildProcess): Promise<number> {
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`${child.spawnargs.at(-1)} ended with code ${code} before it was ready`);
  });
  ended.catch(() => {});
  for (;;) {
    const [message] = await Promise.race([once(child, "message"), ended]);
    if (typeof message === "object" && message !== null && "ready" in message) return Number(message.port ?? 0);
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), 16_000);
  await ended;
  clearTimeout(timer);
}
