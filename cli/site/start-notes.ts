/** Warns the operator after a successful start: about settings that keep others out, or that won't last. */
import { access, constants, statfs } from "node:fs/promises";
import { isIP } from "node:net";
import { totalmem, userInfo } from "node:os";
import path from "node:path";
import type { Config } from "#config";
import { isLoopbackName } from "#web/request/site-addresses.ts";

type Site = Pick<Config, "siteUrl" | "anyAddress" | "host" | "port" | "trustProxy" | "demo" | "oneProcess">;

/** The machine. `roomMb`: free disk space of the data folder, `memoryMb`: total memory; null: unknown. */
export type Machine = {
  root: boolean;
  /** From sshd: the client's address and port, then ours. */
  ssh: string | undefined;
  user: string;
  roomMb: number | null;
  memoryMb: number;
};

/** Below these the first week ends badly: history grows, and the whole site ran under load for a day in 512 MB, not less. */
const LEAST_ROOM_MB = 1024;
/** A 512 MB machine shows slightly less: the kernel has taken its part. */
const LEAST_MEMORY_MB = 450;
const MB = 1024 ** 2;

/** @param env of the terminal's session on a remote machine */
export async function readMachine(dataDir: string, env: NodeJS.ProcessEnv = process.env): Promise<Machine> {
  const disk = await statfs(dataDir).catch(() => null);
  // Zero if nothing limits this process; a container's limit counts like a machine's memory.
  const allowed = process.constrainedMemory();
  const memory = allowed > 0 && allowed < totalmem() ? allowed : totalmem();
  return {
    root: process.getuid?.() === 0,
    ssh: env.SSH_CONNECTION,
    user: env.USER ?? "you",
    roomMb: disk && Math.floor((disk.bavail * disk.bsize) / MB),
    memoryMb: Math.floor(memory / MB),
  };
}

/** Warns if no backup could be written to BACKUP_DIR; null: nothing. The first backup creates the folder. */
export async function describeBackupFolder({ backups }: Pick<Config, "backups">): Promise<string | null> {
  if (!backups) return null;
  for (let folder = backups.dir; ; folder = path.dirname(folder)) {
    const code = await access(folder, constants.W_OK | constants.X_OK).then(
      () => null,
      (error: NodeJS.ErrnoException) => error.code ?? error.message,
    );
    if (code === null) return null;
    if (code === "ENOENT" && folder !== path.dirname(folder)) continue;
    const what = folder === backups.dir ? "cannot be written to" : `does not exist and cannot be made in ${folder}`;
    return `BACKUP_DIR ${backups.dir} ${what} by this user (${code}): no backup is made until it can. Make it: install -d -m 0700 -o ${userInfo().username} ${backups.dir}`;
  }
}

/** Returns a sentence each, with the fix; most sites get none. */
export function startNotes(site: Site, machine: Machine): string[] {
  return [...noteAddress(site, machine), ...noteMachine(site, machine)];
}

function noteAddress({ siteUrl, anyAddress, host, port, trustProxy, demo }: Site, { ssh, user }: Machine): string[] {
  const onlyHere = isLoopbackName(isIP(host) === 6 ? `[${host}]` : host);
  const [, , here] = ssh?.split(" ") ?? [];
  if (anyAddress && onlyHere) {
    if (!here) return [];
    return [
      `This machine alone can open it. On your own computer type \`ssh -N -L ${port}:localhost:${port} ${user}@${here}\`, then open http://localhost:${port} there.`,
    ];
  }
  if (anyAddress) {
    if (demo) return [];
    return [
      `HOST is ${host}, so others can open it, but without SITE_URL the links in mails lead to this machine alone, and no name but its own takes forms. Set the address that people type: SITE_URL=https://play.example.org`,
    ];
  }
  const { protocol, hostname } = new URL(siteUrl);
  if (isLoopbackName(hostname)) return [];
  if (protocol === "https:" && trustProxy === 0) {
    return [
      "SITE_URL begins with https, so a proxy stands in front, and with TRUST_PROXY=0 all visitors count as one and share one limit. Set the number of proxies: TRUST_PROXY=1",
    ];
  }
  if (protocol === "http:" && trustProxy === 0 && onlyHere) {
    return [
      `Nobody can come to ${siteUrl} while HOST is ${host}, which this machine alone can open. Put a proxy in front (deploy/Caddyfile), with SITE_URL=https://${hostname} and TRUST_PROXY=1; in a network of your own set HOST=0.0.0.0`,
    ];
  }
  return [];
}

function noteMachine({ demo, oneProcess }: Site, { root, roomMb, memoryMb }: Machine): string[] {
  const notes: string[] = [];
  if (root && !demo) {
    notes.push(
      "It runs as root and needs no right of root: `useradd --system spawnpoint` and deploy/spawnpoint.service give it a user of its own (docs/operating.md, Install).",
    );
  }
  if (roomMb !== null && roomMb < LEAST_ROOM_MB) {
    notes.push(
      `${roomMb} MB are free on the disk of the data folder, and with none Postgres stops. Make room (\`df -h\`), or set DATA_DIR to a larger disk.`,
    );
  }
  if (oneProcess) {
    notes.push(
      `Web and collector share a process, because of the ${memoryMb} MB of memory here or because ONE_PROCESS is set; with ONE_PROCESS=0 each has its own.`,
    );
  }
  if (memoryMb < LEAST_MEMORY_MB) {
    notes.push(
      `This machine has ${memoryMb} MB of memory, and 512 are the least on which the site was tried. Add some as a file, as root: \`fallocate -l 2G /swapfile && chmod 600 /swapfile && mkswap /swapfile && swapon /swapfile\`.`,
    );
  }
  return notes;
}
