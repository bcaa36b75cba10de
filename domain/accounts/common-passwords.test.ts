import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { findWeakness } from "./common-passwords.ts";

const weakness = (password: string) => findWeakness(password, "ada.lovelace@example.org");

test("a weak password is refused with its reason", async () => {
  assert.equal(await weakness("seven77"), "short");
  assert.equal(await weakness("x1".repeat(65)), "long");
  assert.equal(await weakness("Ada.Lovelace@example.org"), "like-email");
  assert.equal(await weakness("ada.lovelace"), "like-email");
  for (const common of [
    "password",
    "PASSWORD",
    "12345678",
    "qwertyuiop",
    "iloveyou1",
    "football1",
    "aaaaaaaaaaaa",
    "abababab",
  ]) {
    assert.equal(await weakness(common), "common", common);
  }
});

test("length is what counts: no rule of composition, every sign allowed, 8 to 128 characters", async () => {
  for (const fine of [
    "a lamp in the harbour",
    "korrekt pferd batterie",
    "🦊🦊🦊🐢🐢🐢🐝🐝",
    "zx9 kq2v",
    "ab cd ".repeat(21),
  ]) {
    assert.equal(await weakness(fine), null, fine);
  }
});

test("what nobody uses is not taken for common", async () => {
  let wrong = 0;
  for (let attempt = 0; attempt < 2_000; attempt += 1) {
    if (await weakness(randomBytes(9).toString("base64"))) wrong += 1;
  }
  assert.ok(wrong <= 2, `${wrong} of 2,000`);
});
