/** `npm run test:machines`: a site of many machines from nothing to its last claim, and nothing of it left behind. */
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { installIfNeeded } from "../../cli/prepare.mjs";
import { canInstallPackages, installPackage } from "../helpers/chromium.ts";
import { findSystemPostgres } from "../helpers/programs/system-postgres.ts";

const LIMIT_MS = 10 * 60_000;
const NEEDED: { name: string; there: () => boolean }[] = [
  { name: "haproxy", there: () => existsSync("/usr/sbin/haproxy") },
  { name: "postgresql", there: () => findSystemPostgres() !== null },
  { name: "iproute2", there: () => existsSync("/usr/sbin/ip") || existsSync("/sbin/ip") },
  { name: "openssl", there: () => existsSync("/usr/bin/openssl") },
];

function skip(why: string): number {
  console.log(`Skipped: ${why}\n\n0 passed, 0 failed, 1 skipped`);
  return 0;
}

async function main(): Promise<number> {
  installIfNeeded(path.join(import.meta.dirname, "../heavy"));
  for (const { name, there } of NEEDED) {
    if (there() || (canInstallPackages() && installPackage(name) && there())) continue;
    return skip(`the Debian package ${name} is missing, and only root may install it: apt-get install ${name}`);
  }
  // Everything runs in namespaces that end with this process, so that not even a crash leaves a machine or a program behind.
  const apart = ["--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"];
  const tried = spawnSync("unshare", [...apart, "true"], { encoding: "utf8" });
  if (tried.status !== 0) return skip(`this machine allows no network namespaces: ${tried.stderr.trim()}`);

  const folder = mkdtempSync(path.join(tmpdir(), "spawnpoint-machines-"));
  // Postgres and HAProxy do not run as root.
  chmodSync(folder, 0o755);
  const inner = path.join(import.meta.dirname, "claims-run.ts");
  const child = spawn("unshare", [...apart, process.execPath, inner, folder], {
    stdio: ["pipe", "inherit", "inherit"],
  });
  const limit = setTimeout(() => {
    console.log(`✖ not finished within ${LIMIT_MS / 60_000} minutes`);
    child.kill("SIGKILL");
  }, LIMIT_MS);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill("SIGKILL"));
  const code = await new Promise<number>((resolve) => child.on("exit", (status) => resolve(status ?? 1)));
  clearTimeout(limit);
  if (!process.env.SPAWNPOINT_KEEP) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  return code;
}

process.exit(await main());
