/** The systemd unit, asked of systemd itself where it is installed: is it one, and how far is it closed; and the command beside it. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";

const ROOT = path.join(import.meta.dirname, "..");
const readUnit = (name: string) => readFileSync(path.join(import.meta.dirname, name), "utf8");
const unit = readUnit("spawnpoint.service");
const outpost = readUnit("spawnpoint-outpost.service");
/** Says its version from 250 on, the first that can look at a file. */
const version = Number(
  /^systemd (\d+)/.exec(spawnSync("systemd-analyze", ["--version"], { encoding: "utf8" }).stdout ?? "")?.[1] ?? 0,
);
const skip = version < 250 ? "systemd-analyze 250 or newer is not installed here" : false;

for (const [name, text] of Object.entries({ "spawnpoint.service": unit, "spawnpoint-outpost.service": outpost })) {
  test(`systemd takes ${name}, and finds it closed to 2.0 or better`, { skip }, () => {
    const folder = mkdtempSync(path.join(tmpdir(), "spawnpoint-unit-"));
    const file = path.join(folder, name);
    writeFileSync(file, text.replaceAll("/opt/spawnpoint", ROOT));
    const verified = spawnSync("systemd-analyze", ["verify", "--man=no", file], { encoding: "utf8" });
    const closed = spawnSync("systemd-analyze", ["security", "--offline=yes", "--threshold=20", "--no-pager", file], {
      encoding: "utf8",
    });
    rmSync(folder, { recursive: true });
    assert.equal(verified.status, 0, verified.stderr);
    assert.equal(verified.stderr, "");
    assert.equal(closed.status, 0, closed.stdout.split("\n").slice(-2).join("") + closed.stderr);
  });
}

test("an outpost's token has no place in its unit, and one that is revoked is not started again", () => {
  assert.match(
    outpost,
    /^ExecStart=\/opt\/spawnpoint\/node_modules\/node\/bin\/node \/opt\/spawnpoint\/cli\/spawnpoint\.ts outpost$/m,
  );
  assert.ok(!/OUTPOST_TOKEN/.test(outpost.replace(/^#.*$/gm, "")));
  const notSetUp = /NOT_SET_UP = (\d+)/.exec(readFileSync(path.join(ROOT, "cli/commands/outpost.ts"), "utf8"))?.[1];
  assert.equal(/^RestartPreventExitStatus=(\d+)$/m.exec(outpost)?.[1], notSetUp);
  const line = readFileSync(path.join(ROOT, "shared/outpost-commands.ts"), "utf8");
  assert.ok(
    line.includes(/^EnvironmentFile=(\S+)$/m.exec(outpost)?.[1] ?? "nothing"),
    "where the copied line writes it",
  );
});

test("it starts the program that there is, and stops it with more patience than the program has", () => {
  assert.match(
    unit,
    /^ExecStart=\/opt\/spawnpoint\/node_modules\/node\/bin\/node \/opt\/spawnpoint\/cli\/spawnpoint\.ts start$/m,
  );
  assert.ok(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]) >= 30);
  assert.ok(
    !/PASSWORD|SECRET|SMTP_URL=\w/.test(unit.replace(/^#.*$/gm, "")),
    "no secret has a place in a unit that everybody can read",
  );
});

test("a backup of its own may step behind the pages: the filter lets a process lower its priority, and only that", () => {
  const filters = [...unit.matchAll(/^SystemCallFilter=(.*)$/gm)].map(([, calls]) => calls);
  assert.deepEqual(filters, ["@system-service", "~@privileged @resources", "setpriority"]);
});

test("the command is a shell's, and runs as the unit does: its user, settings, folder and program", () => {
  const file = path.join(import.meta.dirname, "spawnpoint");
  assert.equal(spawnSync("/bin/sh", ["-n", file]).status, 0);
  assert.ok(statSync(file).mode & 0o100, "it can be run");
  const command = readFileSync(file, "utf8");
  const of = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(unit)?.[1] ?? "nothing";
  for (const part of [
    `--uid=${of("User")} --gid=${of("Group")} `,
    `--working-directory=${of("WorkingDirectory")} `,
    `--property=EnvironmentFile=${of("EnvironmentFile")} `,
    `--property=UMask=${of("UMask")} --property=LimitNOFILE=${of("LimitNOFILE")} `,
    of("Environment").replace(/^.*DATA_DIR=/, ":-"),
    `--setenv=${/SPAWNPOINT_COMMAND=\S+/.exec(unit)?.[0]} `,
    `${of("ExecStart").replace(/ start$/, "")} "$@"`,
  ]) {
    assert.ok(command.includes(part), part);
  }
});
