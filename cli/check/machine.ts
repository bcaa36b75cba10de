/** Checks this machine: Node, file descriptors, the data folder with its permissions and secrets, and disk space. */
import { randomUUID } from "node:crypto";
import { access, constants, readdir, readFile, rm, stat, statfs, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Config } from "#config";
import { typedCommand } from "../typed-command.ts";
import { AS_OWNER, errorText, type Finding, isShut, ok, warning, wrong } from "./finding.ts";
import { lookAtPostgres } from "./postgres.ts";

const NODE_FROM = 26;
/** A live stream takes one, and a page is loaded over up to six connections. */
const FEW_DESCRIPTORS = 4096;
const GB = 1024 ** 3;
const SECRET_LEAST = 32;

export async function lookAtMachine(config: Config): Promise<Finding[]> {
  return [
    lookAtNode(process.versions.node),
    lookAtDescriptors(),
    ...(await lookAtFolder(config.dataDir)),
    ...(await lookAtSecrets(config)),
    ...(await lookAtPostgres(config)),
    await lookAtRoom(config.dataDir),
  ];
}

/** @param version such as "26.1.0" */
export function lookAtNode(version: string): Finding {
  if (Number.parseInt(version, 10) >= NODE_FROM) return ok("node", `Node ${version}`);
  return wrong("node", `this is Node ${version}`, `Start by \`${typedCommand("…")}\`, which brings Node ${NODE_FROM}.`);
}

function lookAtDescriptors(): Finding {
  const report = process.report?.getReport() as { userLimits?: { open_files?: { soft: number | string } } } | undefined;
  const limit = report?.userLimits?.open_files?.soft;
  if (typeof limit !== "number") return ok("descriptors", `open files: ${limit ?? "this system sets no limit"}`);
  if (limit >= FEW_DESCRIPTORS) return ok("descriptors", `${limit} open files`);
  return warning(
    "descriptors",
    `this user may open ${limit} files, and each live stream is one`,
    "Raise it: LimitNOFILE=65536 in the systemd unit, or `ulimit -n 65536` in the shell that starts the site.",
  );
}

/** Checks that the data folder exists, is writable and closed to others. */
export async function lookAtFolder(dataDir: string): Promise<Finding[]> {
  const found = await stat(dataDir).catch(() => null);
  if (found === null) {
    return [
      warning("data folder", `${dataDir} does not exist`, "The first start makes it; or set DATA_DIR to where it is."),
    ];
  }
  if (!found.isDirectory()) return [wrong("data folder", `${dataDir} is no folder`, "Set DATA_DIR to a folder.")];
  const findings: Finding[] = [];
  const probe = path.join(dataDir, `.check-${randomUUID()}`);
  try {
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    await writeFile(probe, "", { flag: "wx", mode: 0o600 });
    await rm(probe);
  } catch (error) {
    const fix = "Run the check as the user that runs the site; where that is this one, give it the folder (chown).";
    findings.push(wrong("data folder", `${dataDir} cannot be written to: ${errorText(error)}`, fix));
  }
  const mode = (found.mode & 0o777).toString(8);
  if (found.mode & 0o022) {
    findings.push(wrong("data folder", `others may write to ${dataDir} (mode ${mode})`, `chmod 700 ${dataDir}`));
  } else if (found.mode & 0o044) {
    // Search permission alone (711) is needed by a Postgres under another user: the start sets it itself.
    findings.push(warning("data folder", `others may read ${dataDir} (mode ${mode})`, `chmod 700 ${dataDir}`));
  }
  return findings.length > 0 ? findings : [ok("data folder", `${dataDir}, mode ${mode}`)];
}

async function lookAtSecrets({ dataDir, authSecret, databaseUrl }: Config): Promise<Finding[]> {
  const folder = path.join(dataDir, "secrets");
  if (!authSecret && (await isShut(folder))) return [warning("secrets", `${folder} is shut to this user`, AS_OWNER)];
  const names = await readdir(folder).catch(() => []);
  const findings: Finding[] = [];
  for (const name of names) {
    const file = path.join(folder, name);
    const found = await stat(file);
    const text = await readFile(file, "utf8").catch(() => null);
    if (found.mode & 0o077) {
      findings.push(
        wrong("secrets", `others may read ${file} (mode ${(found.mode & 0o777).toString(8)})`, `chmod 600 ${file}`),
      );
    } else if (text === null) {
      findings.push(wrong("secrets", `${file} cannot be read`, "Run the check as the user that runs the site."));
    } else if (text.trim().length < SECRET_LEAST) {
      const fix = `Remove ${file}; the next start makes a new one, and everybody signs in again. Or put it back from a backup.`;
      findings.push(wrong("secrets", `${file} is too short to be a secret`, fix));
    }
  }
  if (!authSecret && databaseUrl) {
    const fix = "Where several machines serve one site, set AUTH_SECRET to the same words on each.";
    findings.push(warning("secrets", "AUTH_SECRET is not set: this machine has a secret of its own", fix));
  }
  if (findings.length > 0) return findings;
  return [
    ok(
      "secrets",
      authSecret
        ? "AUTH_SECRET is set"
        : names.length > 0
          ? `${names.length} in ${folder}, for their owner alone`
          : "made at the first start",
    ),
  ];
}

async function lookAtRoom(dataDir: string): Promise<Finding> {
  const place = (await stat(dataDir).catch(() => null)) ? dataDir : path.dirname(dataDir);
  const disk = await statfs(place).catch(() => null);
  if (disk === null) return warning("disk", `the system does not say how much room ${place} has`, "Look with df -h.");
  return judgeRoom(
    place,
    disk.bavail * disk.bsize,
    disk.blocks * disk.bsize,
    disk.files === 0 ? 1 : disk.ffree / disk.files,
  );
}

/** @param nodesFree share of free inodes of the disk, 0 to 1 */
export function judgeRoom(place: string, free: number, all: number, nodesFree: number): Finding {
  const says = `${(free / GB).toFixed(1)} of ${(all / GB).toFixed(0)} GB free at ${place}`;
  const fix = "Make room or move DATA_DIR: with a full disk Postgres stops, and nothing that members write is taken.";
  if (free < GB || nodesFree < 0.01)
    return wrong("disk", nodesFree < 0.01 ? `hardly any file can be made at ${place}` : says, fix);
  if (free < 5 * GB || free < all * 0.05) return warning("disk", says, fix);
  return ok("disk", says);
}
