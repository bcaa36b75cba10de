/** What is kept of an adapter's secrets, and what opens it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { SealedSecrets } from "#shared/adapters.ts";
import {
  changedSecrets,
  type GivenSecrets,
  givenSecrets,
  openSecrets,
  resealSecrets,
  shownSecrets,
} from "./adapter-secrets.ts";

const SITE = "the secret of this very site, 32+";
const OTHER = "another secret, of another site!!";
const typed = (text: string): GivenSecrets => ({ adminPassword: { typed: text, remove: false } });
const sealedOf = (text: string): SealedSecrets =>
  changedSecrets(SITE, "palworld", { kept: {}, given: typed(text), moved: false }).secrets;

test("what was sealed is opened by the same secret, under the same name, and as it was", () => {
  const sealed = sealedOf("pässword ☃");
  assert.deepEqual(openSecrets(SITE, sealed), { adminPassword: "pässword ☃" });
  assert.doesNotMatch(JSON.stringify(sealed), /pässword/);
  assert.notEqual(sealed.adminPassword?.sealed, sealedOf("pässword ☃").adminPassword?.sealed);
  assert.equal(openSecrets(OTHER, sealed), null);
  assert.equal(openSecrets(SITE, { restToken: sealed.adminPassword ?? { sealed: "", end: "" } }), null);
  const bytes = Buffer.from(sealed.adminPassword?.sealed ?? "", "base64url");
  for (let at = 0; at < bytes.length; at += 1) {
    const broken = Buffer.from(bytes);
    broken[at] = (broken[at] ?? 0) ^ 1;
    assert.equal(openSecrets(SITE, { adminPassword: { sealed: broken.toString("base64url"), end: "" } }), null);
  }
  for (const nonsense of ["", "AAAA", "!!!"])
    assert.equal(openSecrets(SITE, { adminPassword: { sealed: nonsense, end: "" } }), null);
});

test("an end is told of a long one, less of a shorter one, and nothing of a short one", () => {
  const end = (text: string) => shownSecrets(SITE, sealedOf(text)).adminPassword?.end;
  assert.deepEqual(["abcdefghijkl", "abcdefgh", "abcdefg", "abc"].map(end), ["ijkl", "gh", "", ""]);
  assert.deepEqual(shownSecrets(OTHER, sealedOf("abcdefghijkl")), { adminPassword: { end: "ijkl", readable: false } });
});

test("nothing typed keeps it, a tick removes it, another host or another adapter forgets it", () => {
  const kept = sealedOf("the first password");
  const change = (given: GivenSecrets, more: { moved?: boolean; adapter?: "palworld" | "terraria" | "a2s" } = {}) => {
    const { secrets, told } = changedSecrets(SITE, more.adapter ?? "palworld", {
      kept,
      given,
      moved: more.moved ?? false,
    });
    return [openSecrets(SITE, secrets)?.adminPassword ?? null, told];
  };
  assert.deepEqual(change({}), ["the first password", {}]);
  assert.deepEqual(change(typed("")), ["the first password", {}]);
  assert.deepEqual(change(typed("another")), ["another", { adminPassword: "changed" }]);
  assert.deepEqual(change({ adminPassword: { typed: "", remove: true } }), [null, { adminPassword: "removed" }]);
  assert.deepEqual(change(typed(""), { moved: true }), [null, { adminPassword: "removed" }]);
  assert.deepEqual(change(typed("anew"), { moved: true }), ["anew", { adminPassword: "changed" }]);
  assert.deepEqual(change(typed("x"), { adapter: "a2s" }), [null, { adminPassword: "removed" }]);
  assert.deepEqual(change({}, { adapter: "terraria" }), [null, { adminPassword: "removed" }]);
});

test("what a form sent is taken without what was pasted around it", () => {
  const form = new FormData();
  form.set("secret_adminPassword", "  two words\r\n");
  form.set("forget_restToken", "on");
  assert.deepEqual(givenSecrets(form), {
    applicationToken: { typed: "", remove: false },
    adminPassword: { typed: "two words", remove: false },
    restToken: { typed: "", remove: true },
  });
});

test("under another secret of the site the same is opened, and what does not open is left as it is", () => {
  const sealed = sealedOf("the first password");
  const anew = resealSecrets(SITE, OTHER, sealed);
  assert.ok(anew);
  assert.deepEqual(openSecrets(OTHER, anew), { adminPassword: "the first password" });
  assert.equal(anew.adminPassword?.end, "word");
  assert.equal(resealSecrets(OTHER, SITE, sealed), null);
});
