/** Explains failed preparations of a checkout, each in a sentence with the command to fix it. Plain JavaScript for Node 20. */
import os from "node:os";

/** The error in one line, for the terminal. */
export class PrepareError extends Error {
  name = "PrepareError";
}

/** Debian and Ubuntu packages of Node's shared libraries. */
const PACKAGES = { "libatomic.so.1": "libatomic1", "libstdc++.so.6": "libstdc++6", "libgcc_s.so.1": "libgcc-s1" };

const MEGABYTE = 1024 ** 2;
/** Measured: packages and build on disk, and the build's peak memory. */
const ROOM = "1 GB";
const MEMORY = "2 GB";

/**
 * Explains why the packaged Node doesn't run.
 * @param run result of `node --version`; null if the file is missing
 * @param node its path
 */
export function explainNode(run, node) {
  const unlinked = explainLibraries(run?.stderr ?? "");
  if (unlinked !== null) return unlinked;
  if (run?.error?.code === "ENOENT") {
    return `Node 26 cannot run here: ${node} is made for systems with glibc, and this one has none (Alpine?). Use Debian or Ubuntu, or a container (\`docker compose up\`).`;
  }
  return (
    `Node 26 is missing at ${node}. The npm package "node" brings it with an install script, and those are off: ` +
    "`npm config set ignore-scripts false && rm -rf node_modules`, then start again."
  );
}

/** Explains the dynamic loader's error about Node 26; null: none. */
function explainLibraries(said) {
  const library = /error while loading shared libraries: (\S+):/.exec(said)?.[1];
  if (library !== undefined) {
    const name = PACKAGES[library];
    return name === undefined
      ? `Node 26 cannot run here: this machine has no ${library}. Install the package that brings it, then start again.`
      : `Node 26 cannot run here: this machine has no ${library}. On Debian and Ubuntu: \`apt-get install ${name}\`, as root; then start again.`;
  }
  const tooOld = /version `(GLIBC\w*_[\d.]+)' not found/.exec(said)?.[1];
  if (tooOld !== undefined) {
    return `Node 26 cannot run here: this system is too old for it (it has no ${tooOld}). Use Debian 12, Ubuntu 22.04 or newer, or a container (\`docker compose up\`).`;
  }
  return null;
}

/**
 * Explains a failed npm install if the reason is known; else null.
 * @param run result of `npm ci`
 */
export function explainInstall(run, folder) {
  const said = `${run.stdout ?? ""}${run.stderr ?? ""}`;
  // Install scripts of other packages already run with the Node just installed.
  const unlinked = explainLibraries(said);
  if (unlinked !== null) return unlinked;
  if (run.error?.code === "ENOENT") {
    return "npm is not installed. On Debian and Ubuntu: `apt-get install --no-install-recommends npm`, as root; then start again.";
  }
  const network =
    /\b(?:code (ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ENETUNREACH|EHOSTUNREACH)|errno (E\w+)[\s\S]*?network)\b/.exec(
      said,
    );
  if (network !== null) {
    const where = /https?:\/\/[^/\s]+/.exec(said)?.[0] ?? "the registry of npm";
    return `The packages could not be fetched: ${where} cannot be reached from here (${network[1] ?? network[2]}). Look at the network with \`npm ping\`; where a proxy leads out, \`npm config set proxy http://…\`.`;
  }
  const certificate = /SELF_SIGNED_CERT\w*|self-signed certificate|UNABLE_TO_\w*(?:CERT|SIGNATURE)\w*/.exec(said);
  if (certificate !== null) {
    return `The packages could not be fetched: something on the way shows a certificate of its own (${certificate[0]}), as a firewall of a company does. Name its file: \`export NODE_EXTRA_CA_CERTS=/path/to/ca.pem\`, then start again.`;
  }
  return explainMachine(run, said, folder, "npm");
}

/** Explains a failed build if the reason is known; else null. */
export function explainBuild(run, folder) {
  return explainMachine(run, `${run.stdout ?? ""}${run.stderr ?? ""}`, folder, "the build");
}

/** Explains general failures: disk, memory, permissions. */
function explainMachine(run, said, folder, who) {
  if (/ENOSPC|no space left on device/i.test(said)) {
    return `The disk is full at ${folder}: packages and build take ${ROOM}. \`df -h ${folder}\` shows the room, \`npm cache clean --force\` makes some.`;
  }
  if (run.signal === "SIGKILL" || run.status === 137 || /heap out of memory|ENOMEM|Cannot allocate memory/.test(said)) {
    const has = `${Math.round(os.totalmem() / MEGABYTE)} MB`;
    return `This machine ran out of memory for ${who}: it takes ${MEMORY}, and there are ${has}. Add some as a file, as root: \`fallocate -l 2G /swapfile && chmod 600 /swapfile && mkswap /swapfile && swapon /swapfile\`; then start again.`;
  }
  if (/\b(?:EACCES|EPERM)\b/.test(said)) {
    return `This user may not write into ${folder}. Start as the user that it belongs to, or give it to this one, as root: \`chown -R ${userName()} ${folder}\`.`;
  }
  if (/\bEROFS\b/.test(said)) {
    return `${folder} cannot be written to: its disk is read-only. Move the checkout to another place, and start there.`;
  }
  return null;
}

function userName() {
  try {
    return os.userInfo().username;
  } catch {
    // A user id without a name, as in a container.
    return String(process.getuid?.() ?? "");
  }
}
