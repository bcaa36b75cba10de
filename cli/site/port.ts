/** Checks whether the site's port is free before anything starts, and names its holder. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { type Config, ownPorts } from "#config";
import { HeldPort } from "../process/held-port.ts";
import { StartError } from "../start-error.ts";

const PATIENCE_MS = 3000;

/**
 * Waits a moment, since a web process that was just killed may still hold the port; any other holder is reported.
 * @throws {StartError}
 */
export async function untilPortIsFree({ port, host }: Pick<Config, "port" | "host">): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const code = await tryPort(port, host);
    if (code === null) return;
    if (code !== "EADDRINUSE") throw new StartError(portErrorText(code, port, host));
    if (performance.now() > deadline) {
      throw new StartError(
        `PORT ${port} on ${host} is taken by another program${describeHolder(port)}. Stop it, or set another PORT: \`export PORT=${port < 65_000 ? port + 1 : port - 1}\`, then start again.`,
      );
    }
    await pause(100);
  }
}

/**
 * Binds the port for web processes.
 * @param shared several of them listen there
 * @throws {StartError}
 */
export async function holdPort(config: Pick<Config, "port" | "host">, shared: boolean): Promise<HeldPort | undefined> {
  try {
    return await HeldPort.open(config, shared);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new StartError(portErrorText(code ?? message, config.port, config.host));
  }
}

/** Reports metrics ports that another program has; the site runs without those metrics until they are free. */
export async function describeTakenFigures({
  metrics,
  ...config
}: Pick<Config, "port" | "metrics" | "webWorkers">): Promise<string[]> {
  if (!metrics) return [];
  const ports = ownPorts({ ...config, metrics }).slice(1);
  const codes = await Promise.all(ports.map((port) => tryPort(port, metrics.host)));
  return ports.flatMap((port, at) =>
    codes[at] === null
      ? []
      : [
          codes[at] === "EADDRINUSE"
            ? `Port ${port}, which METRICS_PORT means for figures, is taken by another program${describeHolder(port)}: no figures are given there until it is free.`
            : `METRICS_HOST ${metrics.host} and port ${port} cannot be listened on (${codes[at]}): no figures are given there.`,
        ],
  );
}

function tryPort(port: number, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    probe.listen({ port, host }, () => probe.close(() => resolve(null)));
  });
}

function portErrorText(code: string, port: number, host: string): string {
  const every = "127.0.0.1 is this machine alone, 0.0.0.0 every address of it";
  if (code === "EADDRNOTAVAIL") return `HOST ${host} is no address of this machine: set one that is (${every}).`;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") {
    return `HOST ${host} is a name that leads nowhere: set an address of this machine (${every}), and SITE_URL to the name that people type.`;
  }
  if (code === "EACCES" || code === "EPERM") {
    return `PORT ${port} may not be opened by this user: set 1024 or more, and put a proxy in front.`;
  }
  if (code === "EAFNOSUPPORT" || code === "EINVAL") {
    return `HOST ${host} is an address of a kind that this machine does not have: set another (${every}).`;
  }
  return `HOST ${host} and PORT ${port} cannot be listened on (${code}): set others.`;
}

/** " (process 4711, nginx)", if Linux reveals it: only for one's own processes, except for root. */
function describeHolder(port: number): string {
  try {
    const sockets = new Set([...socketsOn(port, "/proc/net/tcp"), ...socketsOn(port, "/proc/net/tcp6")]);
    if (sockets.size === 0) return "";
    for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      if (holdsOne(pid, sockets)) return ` (process ${pid}, ${nameOf(pid)})`;
    }
    return " (of another user: `ss -ltnp` as root names it)";
  } catch {
    return "";
  }
}

/** Returns the inodes of sockets listening on a port: field ten of lines whose fourth is 0A (the kernel's proc_net_tcp.txt). */
function socketsOn(port: number, table: string): string[] {
  const end = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return readFileSync(table, "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(end) && state === "0A")
    .map((fields) => fields[9] ?? "");
}

function holdsOne(pid: string, sockets: Set<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => {
      const [, inode] = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`)) ?? [];
      return inode !== undefined && sockets.has(inode);
    });
  } catch {
    // Another user's, or it has just ended.
    return false;
  }
}

function nameOf(pid: string): string {
  const [program = "?", ...rest] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  // A Node program is named by its script.
  const script = rest.find((argument) => /\.[cm]?[jt]s$/.test(argument));
  return [program, script]
    .filter(Boolean)
    .map((file) => String(file).split("/").at(-1))
    .join(" ");
}
