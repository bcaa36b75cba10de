/** The operator's page is held to the program: its settings, commands and links are the real ones. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { readConfig } from "#config";
import { settingsTable } from "../scripts/settings-table.ts";

const DOCS = import.meta.dirname;
const page = readFileSync(path.join(DOCS, "operating.md"), "utf8");

const { stdout: help } = spawnSync(process.execPath, ["cli/spawnpoint.ts", "--help"], {
  cwd: path.join(DOCS, ".."),
  encoding: "utf8",
});

test("the table of settings is made of what config/settings.ts says, and --help tells the same", () => {
  assert.ok(page.includes(`\n\n${settingsTable()}\n\n`), "`npm run docs:settings` writes it anew");
  for (const [, name = "", unset = "", text = ""] of settingsTable().matchAll(/^\| `(\w+)` \| (.+) \| (.+) \|$/gm))
    assert.ok(help.includes(`  ${name} (${unset})\n      ${text}\n`), name);
});

test("what it links to is there, and the commands that it names exist", () => {
  for (const [, target = ""] of page.matchAll(/\]\(([^)#]+)\)/g))
    assert.ok(existsSync(path.join(DOCS, target)), target);
  const headings = new Set(
    [...page.matchAll(/^## (.+)$/gm)].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replace(/[^\w -]/g, "")
        .replaceAll(" ", "-"),
    ),
  );
  for (const [, anchor = ""] of page.matchAll(/\]\(#([^)]+)\)/g)) assert.ok(headings.has(anchor), anchor);
  const named = [...page.matchAll(/(?:[`(]|^)(?:npm run spawnpoint --|spawnpoint) ([a-z][a-z-]*)/gm)];
  assert.ok(named.length > 15, `${named.length} commands`);
  for (const [, command = ""] of named) assert.match(help, new RegExp(`^  ${command} `, "m"));
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
  const args = ["-i", "/bin/sh", "-c", 'set -a; . "$0"; /usr/bin/env', file];
  const run = spawnSync("env", args, { encoding: "utf8" });
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
