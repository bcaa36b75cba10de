/** Debian's Postgres on two machines: one takes writes, the other follows it by streaming replication, all over TLS. */
import { type ChildProcess, spawnSync } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, chownSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { findSystemPostgres } from "../helpers/programs/system-postgres.ts";
import type { Authority } from "./certificates.ts";
import { addressOf, type Machine } from "./network.ts";

const SITE_PASSWORD = "site of the test";
const REPLICA_PASSWORD = "replica of the test";

export type PostgresMachine = {
  machine: Machine;
  start(): Promise<void>;
  /** As when the power goes: everything of it at once, and nobody is told. */
  cutPower(): Promise<void>;
  stop(): Promise<void>;
  /** Makes a standby of `primary` out of nothing; what was here is lost. */
  follow(primary: PostgresMachine): void;
  /** Ends with the standby taking writes. */
  promote(): void;
  sql(statement: string): string;
};

/** `databaseUrl` as the site gets it: by the one address that the balancer gives the primary. */
export const databaseUrlOf = (entry: string, authority: Authority): string =>
  `postgres://spawnpoint:${encodeURIComponent(SITE_PASSWORD)}@${entry}/spawnpoint?sslmode=verify-full&sslrootcert=${authority.file}`;

export function definePostgres(machine: Machine, options: { folder: string; authority: Authority; entry: string }) {
  const bin = findSystemPostgres() ?? "";
  const home = path.join(options.folder, machine.name);
  const data = path.join(home, "data");
  const { uid, gid } = postgresUser();
  let server: ChildProcess | null = null;
  mkdirSync(home);
  chownSync(home, uid, gid);
  const asPostgres = { user: "postgres", cwd: home, env: { PATH: process.env.PATH, HOME: home } };
  const run = (program: string, ...args: string[]) => machine.run([path.join(bin, program), ...args], asPostgres);
  const files = certificateFor(machine);

  function certificateFor({ name, address }: Machine) {
    const made = options.authority.certify(name, [`IP:${address}`, `IP:${options.entry}`]);
    const own = { certificate: path.join(home, "server.pem"), key: path.join(home, "server.key") };
    for (const which of ["certificate", "key"] as const) {
      copyFileSync(made[which], own[which]);
      chownSync(own[which], uid, gid);
    }
    return own;
  }

  function configure(): void {
    appendFileSync(
      path.join(data, "postgresql.conf"),
      [
        "listen_addresses = '*'",
        `unix_socket_directories = '${home}'`,
        "ssl = on",
        "max_connections = 100",
        "shared_buffers = '96MB'",
        "wal_level = replica",
        "max_wal_senders = 4",
        "wal_keep_size = '128MB'",
        // The moment of each commit, for measuring.
        "track_commit_timestamp = on",
        "log_min_messages = warning",
      ].join("\n"),
    );
    writeFileSync(
      path.join(data, "pg_hba.conf"),
      [
        "local all postgres peer",
        `hostssl spawnpoint spawnpoint ${addressOf(0)}/24 scram-sha-256`,
        `hostssl replication spawnpoint_replica ${addressOf(0)}/24 scram-sha-256`,
        `host postgres spawnpoint_check ${addressOf(10)}/31 trust`,
        "",
      ].join("\n"),
    );
  }

  /** What differs between the machines. */
  const settings = () => [
    ...["-c", `ssl_cert_file=${files.certificate}`, "-c", `ssl_key_file=${files.key}`],
    ...["-c", `cluster_name=${machine.name}`, "-c", `unix_socket_directories=${home}`],
  ];

  async function ended(signal: NodeJS.Signals): Promise<void> {
    const process = server;
    server = null;
    if (process === null || process.exitCode !== null) return;
    process.kill(signal);
    await once(process, "exit");
  }

  const postgres = {
    machine,
    /** A new, empty database with the three roles. */
    async create() {
      run("initdb", "-D", data, "--auth=peer", "--encoding=UTF8", "--locale=C.UTF-8", "--username=postgres");
      configure();
      await postgres.start();
      postgres.sql(`CREATE ROLE spawnpoint LOGIN PASSWORD '${SITE_PASSWORD}'`);
      postgres.sql("CREATE DATABASE spawnpoint OWNER spawnpoint");
      postgres.sql(`CREATE ROLE spawnpoint_replica LOGIN REPLICATION PASSWORD '${REPLICA_PASSWORD}'`);
      postgres.sql("CREATE ROLE spawnpoint_check LOGIN");
    },
    async start() {
      server = machine.start([path.join(bin, "postgres"), "-D", data, ...settings()], asPostgres);
      let output = "";
      server.stderr?.on("data", (chunk) => {
        output = (output + chunk).slice(-4000);
      });
      server.stdout?.resume();
      for (let attempt = 0; attempt < 300; attempt += 1) {
        const { status } = spawnSync(path.join(bin, "pg_isready"), ["-q", "-h", home]);
        if (status === 0) return;
        if (server.exitCode !== null) break;
        await pause(100);
      }
      throw new Error(`Postgres on ${machine.name} did not start: ${output}`);
    },
    async cutPower() {
      machine.cutOff();
      await ended("SIGQUIT");
    },
    stop: () => ended("SIGINT"),
    follow(primary: PostgresMachine) {
      rmSync(data, { recursive: true, force: true });
      const from = `host=${primary.machine.address} user=spawnpoint_replica password='${REPLICA_PASSWORD}' sslmode=verify-full sslrootcert=${options.authority.file} application_name=${machine.name}`;
      run("pg_basebackup", "-D", data, "-d", from, "-R", "-X", "stream", "--checkpoint=fast");
    },
    promote: () => void run("pg_ctl", "promote", "-D", data, "-t", "30"),
    sql: (statement: string) =>
      run("psql", "-h", home, "-U", "postgres", "-d", "postgres", "-X", "-A", "-t", "-c", statement).trim(),
  };
  return postgres;
}

function postgresUser(): { uid: number; gid: number } {
  const id = (flag: string) => Number(spawnSync("id", [flag, "postgres"], { encoding: "utf8" }).stdout);
  return { uid: id("-u"), gid: id("-g") };
}
