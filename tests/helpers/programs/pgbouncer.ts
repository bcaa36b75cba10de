/** Real PgBouncers before a Postgres on loopback, in the three ways that matter to us. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chown, mkdir, readFile, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const PROGRAM = "/usr/sbin/pgbouncer";
/** What a pooler must let pass of ours. */
const IGNORED = "ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout,extra_float_digits";

export type PgBouncers = {
  /** Ports: by transaction, by session, and by transaction with nothing ignored, as Debian ships it. */
  transaction: number;
  session: number;
  strict: number;
  stop(): Promise<void>;
};

/** Null: it is not installed here. It refuses to run as root, so root runs it as nobody. */
export async function startPgBouncer(options: {
  folder: string;
  server: { port: number; user: string };
  ports: [number, number, number];
}): Promise<PgBouncers | null> {
  if (!existsSync(PROGRAM)) return null;
  const { folder, server, ports } = options;
  const nobody = process.getuid?.() === 0 ? await findNobody() : null;
  const place = path.join(folder, "pgbouncer");
  await mkdir(place, { recursive: true });
  if (nobody !== null) await chown(place, nobody.uid, nobody.gid);
  await writeFile(path.join(place, "users"), `"${server.user}" ""\n`, { mode: 0o644 });
  const [transaction, session, strict] = ports;
  const programs = (
    [
      [transaction, "transaction", IGNORED],
      [session, "session", IGNORED],
      [strict, "transaction", ""],
    ] as const
  ).map(async ([port, mode, more]) => {
    const file = path.join(place, `${port}.ini`);
    const settings = `[databases]\n* = host=127.0.0.1 port=${server.port}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = trust\nauth_file = ${place}/users\npool_mode = ${mode}\n${more}\n`;
    await writeFile(file, settings, { mode: 0o644 });
    const child = spawn(PROGRAM, [file], { stdio: "ignore", ...(nobody ?? {}) });
    while (child.exitCode === null && !(await answers(port))) await pause(50);
    return child;
  });
  const children = await Promise.all(programs);
  return {
    transaction,
    session,
    strict,
    async stop() {
      for (const child of children) child.kill("SIGKILL");
    },
  };
}

async function findNobody(): Promise<{ uid: number; gid: number }> {
  const line = (await readFile("/etc/passwd", "utf8")).split("\n").find((user) => user.startsWith("nobody:")) ?? "";
  const [, , uid, gid] = line.split(":");
  return { uid: Number(uid), gid: Number(gid) };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    }).on("error", () => resolve(false));
  });
}
