/** The operator's page is held to the program: its settings, commands, links and figures are the real ones. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
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
