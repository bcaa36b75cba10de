/** The reader of push messages against the example that RFC 8291 gives, and against what must not be taken for a message. */
import assert from "node:assert/strict";
import { createECDH, randomBytes } from "node:crypto";
import { test } from "node:test";
import webpush from "web-push";
import { openMessage } from "./open-message.ts";

/** RFC 8291, section 5 and appendix A. */
const EXAMPLE = {
  body: Buffer.from(
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
    "base64url",
  ),
  privateKey: Buffer.from("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94", "base64url"),
  publicKey: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  auth: Buffer.from("BTBZMqHH6r4Tts7J_aSIgg", "base64url"),
};

function browserOfExample() {
  const ecdh = createECDH("prime256v1");
  ecdh.setPrivateKey(EXAMPLE.privateKey);
  assert.equal(ecdh.getPublicKey("base64url"), EXAMPLE.publicKey);
  return { ecdh, auth: EXAMPLE.auth };
}

test("the example of RFC 8291 is opened, and nothing of it that was changed", () => {
  const browser = browserOfExample();
  assert.equal(openMessage(EXAMPLE.body, browser).toString(), "When I grow up, I want to be a watermelon");
  for (let at = 0; at < EXAMPLE.body.length; at += 1) {
    // The size of a record may be said larger than it is.
    if (at >= 16 && at < 20) continue;
    const changed = Buffer.from(EXAMPLE.body);
    changed.writeUInt8((changed[at] ?? 0) ^ 1, at);
    assert.throws(() => openMessage(changed, browser), `byte ${at}`);
  }
  assert.throws(() => openMessage(EXAMPLE.body.subarray(0, -1), browser));
  assert.throws(() => openMessage(EXAMPLE.body, { ...browser, auth: randomBytes(16) }));
});

test("what the site's library seals is opened by the browser that it is for, and by no other", () => {
  const [ours, others] = [createECDH("prime256v1"), createECDH("prime256v1")];
  const p256dh = ours.generateKeys("base64url");
  others.generateKeys();
  const auth = randomBytes(16);
  for (const text of ["", "x", "ä".repeat(1_500), "\0\u0002\0"]) {
    const sealed = webpush.encrypt(p256dh, auth.toString("base64url"), text, "aes128gcm").cipherText;
    assert.equal(openMessage(sealed, { ecdh: ours, auth }).toString(), text);
    assert.throws(() => openMessage(sealed, { ecdh: others, auth }));
  }
});
