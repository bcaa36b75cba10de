/** What keeps a checkout from being prepared is a sentence with the command that mends it: by the real launcher, npm and programs. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { checkNode } from "./prepare.mjs";
import { explainBuild } from "./prepare-trouble.mjs";

const PREPARE = new URL("./prepare.mjs", import.meta.url).href;

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "spawnpoint-prepare-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A package folder with one package that has to be fetched from `registry`. */
function makePackageFolder(t: TestContext, registry: string): string {
  const folder = makeFolder(t);
  const dependencies = { "left-out": "1.0.0" };
  const entry = { version: "1.0.0", resolved: `${registry}/left-out/-/left-out-1.0.0.tgz`, integrity: "sha512-AAAA" };
  const packages = { "": { name: "here", version: "1.0.0", dependencies }, "node_modules/left-out": entry };
  writeFileSync(path.join(folder, "package.json"), JSON.stringify({ name: "here", version: "1.0.0", dependencies }));
  writeFileSync(
    path.join(folder, "package-lock.json"),
    JSON.stringify({ name: "here", version: "1.0.0", lockfileVersion: 3, packages }),
  );
  return folder;
}

/** Installs as a checkout does, in a process of its own: npm is waited for without a turn of the loop. */
function install(folder: string, env: NodeJS.ProcessEnv = {}): string {
  const program = `import { installIfNeeded } from ${JSON.stringify(PREPARE)};
    try { installIfNeeded(${JSON.stringify(folder)}); console.log("installed"); } catch (error) { console.log(error.name + ": " + error.message); }`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    encoding: "utf8",
    env: {
      ...process.env,
      npm_execpath: "",
      npm_config_fetch_retries: "0",
      npm_config_cache: `${folder}/cache`,
      ...env,
    },
  });
  assert.equal(stderr, "", "the sentence stands alone");
  return stdout.split("\n").slice(1).join("\n").trim();
}

/** A program that says something on stderr and ends, in place of Node. */
function makeProgram(t: TestContext, says: string, code: number): string {
  const file = path.join(makeFolder(t), "node");
  writeFileSync(file, `#!/bin/sh\ncat >&2 <<'END'\n${says}\nEND\nexit ${code}\n`);
  chmodSync(file, 0o755);
  return file;
}

test("a Node that is too old is told so, with the command that brings one; the door is written for Node 12", () => {
  for (const [version, refused] of [
    ["12.22.9", true],
    ["18.20.4", true],
    ["20.18.1", true],
    ["20.19.0", false],
    ["21.7.3", true],
    ["22.11.0", true],
    ["22.12.0", false],
    ["24.0.0", false],
  ] as const) {
    const older = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } })`;
    const args = ["--import", `data:text/javascript,${encodeURIComponent(older)}`, "cli/launch.mjs", "no-such-command"];
    const run = spawnSync(process.execPath, args, { encoding: "utf8", cwd: path.join(import.meta.dirname, "..") });
    assert.equal(
      /^This is Node [12][^\n]*`npm install --global node@22 npm@10`[^\n]*\n$/.test(run.stderr),
      refused,
      run.stderr,
    );
    assert.equal(run.status, refused ? 1 : 2);
  }
  const door = readFileSync(path.join(import.meta.dirname, "launch.mjs"), "utf8");
  assert.doesNotMatch(
    door,
    /\?\?|\?\.|\bawait\b|^import |\|\|=|&&=/m,
    "Node 12 cannot read it, or must load more first",
  );
});

test("a packaged Node that cannot run names what is missing", (t) => {
  const lib =
    "node: error while loading shared libraries: libatomic.so.1: cannot open shared object file: No such file";
  assert.throws(() => checkNode(makeProgram(t, lib, 127)), {
    name: "PrepareError",
    message:
      /^Node 26 cannot run here: this machine has no libatomic\.so\.1\.[^\n]*`apt-get install libatomic1`, as root[^\n]*$/,
  });
  assert.throws(
    () => checkNode(makeProgram(t, lib.replace("libatomic.so.1", "libodd.so.3"), 127)),
    /no libodd\.so\.3\. Install/,
  );
  const old = "node: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.28' not found (required by node)";
  assert.throws(() => checkNode(makeProgram(t, old, 1)), /too old for it \(it has no GLIBC_2\.28\)/);
  const musl = makeProgram(t, "", 0);
  writeFileSync(musl, "#!/lib64/no-such-loader.so\n");
  assert.throws(() => checkNode(musl), /made for systems with glibc/);
  assert.throws(
    () => checkNode(path.join(makeFolder(t), "none")),
    /install script[^\n]*`npm config set ignore-scripts false/,
  );
});

test("packages that cannot be fetched or written are a sentence, and so is a machine without npm", (t) => {
  const away = "http://127.0.0.1:1";
  assert.match(
    install(makePackageFolder(t, away), { npm_config_registry: away }),
    /^PrepareError: The packages could not be fetched: http:\/\/127\.0\.0\.1:1 cannot be reached from here \(ECONNREFUSED\)\. [^\n]*`npm ping`[^\n]*$/,
  );
  const nowhere = "http://registry.invalid";
  assert.match(
    install(makePackageFolder(t, nowhere), { npm_config_registry: nowhere }),
    /^PrepareError: The packages could not be fetched: http:\/\/registry\.invalid cannot be reached from here \(E[A-Z_]+\)/,
  );
  const empty = makeFolder(t);
  assert.match(
    install(makePackageFolder(t, away), { PATH: empty }),
    /^PrepareError: npm is not installed\.[^\n]*`apt-get install --no-install-recommends npm`/,
  );
});

test("rights, room and memory that are missing are told by the program that met it", (t) => {
  const bin = makeFolder(t);
  const says = (text: string, code = 1) => {
    writeFileSync(path.join(bin, "npm"), `#!/bin/sh\n${text}\nexit ${code}\n`, { mode: 0o755 });
    const folder = makePackageFolder(t, "http://127.0.0.1:1");
    return install(folder, { PATH: `${bin}:${process.env.PATH}` }).replaceAll(folder, "FOLDER");
  };
  assert.match(
    says("echo 'npm error code EACCES\nnpm error syscall mkdir' >&2"),
    /^PrepareError: This user may not write into FOLDER\.[^\n]*`chown -R \S+ FOLDER`\.$/,
  );
  assert.match(
    says("echo 'npm error code ENOSPC' >&2"),
    /^PrepareError: The disk is full at FOLDER: [^\n]*`df -h FOLDER`/,
  );
  const lib = "node: error while loading shared libraries: libatomic.so.1: cannot open shared object file";
  assert.match(says(`echo 'npm ERR! ${lib}' >&2`, 127), /^PrepareError: Node 26 cannot run here: [^\n]*libatomic1`/);
  assert.match(says("kill -9 $$"), /^PrepareError: This machine ran out of memory for npm: [^\n]*swapon \/swapfile`/);
  assert.match(says("echo 'npm error code EROFS' >&2"), /^PrepareError: FOLDER cannot be written to/);

  assert.match(
    says("echo 'npm error code SELF_SIGNED_CERT_IN_CHAIN' >&2"),
    /^PrepareError: [^\n]*`export NODE_EXTRA_CA_CERTS=/,
  );

  const heap = "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory";
  assert.match(
    explainBuild({ status: null, signal: "SIGABRT", stderr: heap }, "/srv") ?? "",
    /memory for the build: it takes/,
  );
  assert.equal(explainBuild({ status: 1, stderr: "SyntaxError: odd" }, "/srv"), null);
});
