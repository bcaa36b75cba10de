/** The operator's page is held to the program: its settings, commands, links and figures are the real ones. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { readConfig } from "#config";

const DOCS = import.meta.dirname;
const page = readFileSync(path.join(DOCS, "operating.md"), "utf8");

/** Every name that the config looks for in the environment. */
function settingsRead(): Set<string> {
  const names = new Set<string>();
  readConfig(
    new Proxy<NodeJS.ProcessEnv>(
      {},
      {
        get: (_, name) => {
          names.add(String(name));
          return undefined;
        },
      },
    ),
  );
  return names;
}

/** The rows of the table of settings: name and default. */
const rows = [...page.matchAll(/^\| `([A-Z0-9_]+)` \| ([^|]+) \|/gm)].map(([, name = "", given = ""]) => ({
  name,
  given,
}));

test("every setting has its row, and every row is a setting", () => {
  const own = [...settingsRead()].filter((name) => !name.startsWith("SPAWNPOINT_"));
  assert.deepEqual(rows.map(({ name }) => name).sort(), own.sort());
});

test("a default that is named is the one that is taken", () => {
  const config = readConfig({});
  const named = Object.fromEntries(rows.map(({ name, given }) => [name, /^`([^`]+)`/.exec(given)?.[1]]));
  assert.equal(named.PORT, String(config.port));
  assert.equal(named.HOST, config.host);
  assert.equal(named.POLL_INTERVAL_S, String(config.pollIntervalS));
  assert.equal(named.TRUST_PROXY, String(config.trustProxy));
  assert.equal(named.LOG_LEVEL, config.logLevel);
  assert.equal(path.resolve(named.DATA_DIR ?? ""), config.dataDir);
  assert.equal(readConfig({ METRICS_PORT: "9464" }).metrics?.host, named.METRICS_HOST);
});

test("what it links to is there, and the commands that it names exist", () => {
  for (const [, target = ""] of page.matchAll(/\]\(([^)#]+)\)/g))
    assert.ok(existsSync(path.join(DOCS, target)), target);
  const headings = new Set(
    [...page.matchAll(/^## (.+)$/gm)].map(([, words = ""]) =>
      words
        .toLowerCase()
        .replace(/[^\w -]/g, "")
        .replaceAll(" ", "-"),
    ),
  );
  for (const [, anchor = ""] of page.matchAll(/\]\(#([^)]+)\)/g)) assert.ok(headings.has(anchor), anchor);
  const commands = readFileSync(path.join(DOCS, "../cli/spawnpoint.ts"), "utf8");
  for (const [, command = ""] of page.matchAll(
    /(?:spawnpoint|run spawnpoint --) (backup|restore|doctor|web|collector|create-admin|migrate)\b/g,
  )) {
    assert.match(commands, new RegExp(`"?${command}"?: \\{`), command);
  }
});

/** The examples of /etc/spawnpoint.env in both pages. */
const examples = ["operating.md", "many-machines.md"].flatMap((name) =>
  [...readFileSync(path.join(DOCS, name), "utf8").matchAll(/^```sh\n((?:#.*\n|[A-Z0-9_]+=.*\n)+)```$/gm)].map(
    ([, text = ""]) => ({ name, text }),
  ),
);
/** systemd's reader of such files that can be had without a running systemd (environment.d(5)); it gives them in a shell's words. */
const GENERATOR = "/usr/lib/systemd/user-environment-generators/30-systemd-environment-d-generator";

/** What a shell makes of the file. */
function readByShell(file: string): Record<string, string> {
  const words = ["-i", "/bin/sh", "-c", 'set -a; . "$0"; /usr/bin/env', file];
  const run = spawnSync("env", words, { encoding: "utf8" });
  assert.equal(run.stderr, "");
  return Object.fromEntries([...run.stdout.matchAll(/^([A-Z0-9_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]));
}

test("an example of the settings' file is taken whole, and means the same to systemd, to a shell and to us", () => {
  assert.deepEqual(examples.map(({ name }) => name).sort(), ["many-machines.md", "operating.md"]);
  const folder = mkdtempSync(path.join(tmpdir(), "settings-"));
  mkdirSync(path.join(folder, "environment.d"));
  const file = path.join(folder, "environment.d", "spawnpoint.conf");
  for (const { text } of examples) {
    // Where the page leaves something out, stands something awkward that is long enough.
    const awkward = 'with & \\ "odd" things # in it, and some more';
    const whole = text.replace("spawnpoint:…@", "spawnpoint:secret@").replaceAll("…", awkward);
    writeFileSync(file, whole);
    const given = readByShell(file);
    for (const [, name = ""] of whole.matchAll(/^([A-Z0-9_]+)=/gm)) {
      assert.ok(given[name], name);
      assert.doesNotMatch(given[name], /^'|'$|# [A-Z]/, name);
    }
    const config = readConfig(given);
    assert.equal(config.siteUrl, "https://play.example.org");
    if (config.databaseUrl) assert.match(config.databaseUrl, /&sslrootcert=\/etc\/spawnpoint\/ca\.pem$/);
    if (config.s3) assert.equal(config.s3.secretAccessKey, awkward);
    if (!existsSync(GENERATOR)) continue;
    const run = spawnSync(GENERATOR, { encoding: "utf8", env: { XDG_CONFIG_HOME: folder, HOME: folder } });
    const bySystemd = path.join(folder, "by-systemd");
    writeFileSync(bySystemd, run.stdout);
    // This machine may have settings of its own in it.
    assert.deepEqual({ ...readByShell(bySystemd), ...given }, readByShell(bySystemd));
  }
  rmSync(folder, { recursive: true });
});
