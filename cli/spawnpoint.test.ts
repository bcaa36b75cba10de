/** What is typed: each command has a help of its own, and a mistyped one names the nearest. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import path from "node:path";
import { test } from "node:test";

const PROGRAM = path.join(import.meta.dirname, "spawnpoint.ts");

function type(...words: string[]) {
  const env = { ...process.env, SPAWNPOINT_COMMAND: "spawnpoint" };
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...words], { env, encoding: "utf8" });
  return { status, stdout, stderr };
}

test("a command tells of itself alone, and does nothing then", () => {
  for (const words of [
    ["backup", "--help"],
    ["backup", "here.tar.zst", "--help"],
    ["help", "backup"],
  ]) {
    const { status, stdout } = type(...words);
    assert.equal(status, 0);
    assert.match(stdout, /^Usage: spawnpoint backup FILE, or --verify FILE\n/);
    assert.doesNotMatch(stdout, /create-admin|DATABASE_POOL/);
  }
});

test("a mistyped command is refused with the one that it is near to", () => {
  for (const [typed, meant] of [
    ["bakcup", "backup"],
    ["chekc", "check"],
    ["createadmin", "create-admin"],
    ["rest", "restore"],
    ["unblok", "unblock"],
  ] as const) {
    const { status, stderr } = type(typed);
    assert.equal(status, 2);
    assert.match(stderr, new RegExp(`^There is no command "${typed}"\\. Did you mean \`spawnpoint ${meant}\`\\?`));
  }
  assert.match(type("frobnicate").stderr, /^There is no command "frobnicate"\.\n/);
  assert.match(type("help", "bakcup").stderr, /Did you mean/);
});
