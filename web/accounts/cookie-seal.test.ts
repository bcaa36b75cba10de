import assert from "node:assert/strict";
import { createHmac, randomBytes } from "node:crypto";
import test from "node:test";
import { createSealCheck, LONGEST_SEALED } from "./cookie-seal.ts";

const hmac = (secret: string, text: string) => createHmac("sha256", secret).update(text).digest("base64");

test("the seal of every text by every secret is known, whichever was asked about before", () => {
  for (const secretBytes of [1, 31, 63, 64, 65, 200]) {
    const secret = `${randomBytes(secretBytes)
      .toString("latin1")
      .slice(0, secretBytes - 1)}ü`;
    const isSealOf = createSealCheck(secret);
    const texts = Array.from({ length: LONGEST_SEALED }, (_, at) =>
      randomBytes(at + 1)
        .toString("base64url")
        .slice(0, at + 1),
    );
    for (const text of [...texts, ...texts.toReversed()]) {
      assert.ok(isSealOf(text, hmac(secret, text)), `${secretBytes}: ${text}`);
      assert.ok(!isSealOf(text, hmac(`${secret}x`, text)), `${secretBytes}: ${text}`);
      assert.ok(!isSealOf(text, hmac(secret, `${text}x`)), `${secretBytes}: ${text}`);
    }
  }
});

test("no seal but the right one is taken, not even a part of it", () => {
  const isSealOf = createSealCheck("a secret of this test, as long as it has to be");
  const right = hmac("a secret of this test, as long as it has to be", "token");
  for (const wrong of ["", "A", right.slice(0, 42), right.slice(4), `${"A".repeat(43)}=`, "ü".repeat(44)]) {
    assert.ok(isSealOf("token", right));
    assert.ok(!isSealOf("token", wrong), wrong);
  }
  for (let bit = 0; bit < 256; bit += 1) {
    const bytes = Buffer.from(right, "base64");
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    assert.ok(!isSealOf("token", bytes.toString("base64")), `bit ${bit}`);
  }
  const long = "a".repeat(LONGEST_SEALED + 1);
  assert.ok(!isSealOf(long, hmac("a secret of this test, as long as it has to be", long)));
});
