/**
 * Opens a push message as the browser does that it was encrypted for, written from RFC 8291 and RFC 8188 with node:crypto alone: what
 * seals the site's messages (web-push, http_ece) has no part in it.
 */
import assert from "node:assert/strict";
import { createDecipheriv, type ECDH, hkdfSync } from "node:crypto";

/** RFC 8188, 2.1: salt (16), size of a record (4), length of the key's id (1), then the id itself. */
const ID_AT = 21;

/** An uncompressed point of P-256 (RFC 8291, 4): the id of the key, and what both sides have as their public key. */
const POINT_BYTES = 65;

const TAG_BYTES = 16;

/** RFC 8188, 2: it stands between the text of the last record and its padding; in a record that others follow it is 1. */
const LAST_RECORD = 2;

/**
 * The text of a message of one record, as RFC 8291 (section 4) wants it.
 * @param body what was posted
 * @param browser the keys of the subscription: its pair on P-256, and the 16 bytes of `auth`
 * @throws what is not encrypted for this browser, was changed on the way, or has another form than the RFCs'
 */
export function openMessage(body: Buffer, browser: { ecdh: ECDH; auth: Buffer }): Buffer {
  assert.ok(body.length > ID_AT + POINT_BYTES + TAG_BYTES, "a header and a record");
  assert.equal(browser.auth.length, 16, "RFC 8291, 3.2: sixteen bytes");
  const salt = body.subarray(0, 16);
  const recordSize = body.readUInt32BE(16);
  assert.equal(body[ID_AT - 1], POINT_BYTES, "the id of the key is a point");
  const sender = body.subarray(ID_AT, ID_AT + POINT_BYTES);
  assert.equal(sender[0], 4, "an uncompressed point");
  const record = body.subarray(ID_AT + POINT_BYTES);
  assert.ok(record.length <= recordSize, "one record, no longer than was said");

  // RFC 8291, 3.4: both secrets, bound to both keys, become what RFC 8188 begins with.
  const keyInfo = Buffer.concat([Buffer.from("WebPush: info\0"), browser.ecdh.getPublicKey(), sender]);
  const secret = derive(browser.ecdh.computeSecret(sender), browser.auth, keyInfo, 32);
  const key = derive(secret, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  // RFC 8188, 2.3: of the first record, whose number is 0, the nonce is as it was derived.
  const nonce = derive(secret, salt, Buffer.from("Content-Encoding: nonce\0"), 12);

  const opener = createDecipheriv("aes-128-gcm", key, nonce, { authTagLength: TAG_BYTES });
  opener.setAuthTag(record.subarray(-TAG_BYTES));
  const padded = Buffer.concat([opener.update(record.subarray(0, -TAG_BYTES)), opener.final()]);
  const end = padded.findLastIndex((byte) => byte !== 0);
  assert.equal(padded[end], LAST_RECORD, "the delimiter of the last record, and nothing but zeros behind it");
  return padded.subarray(0, end);
}

const derive = (secret: Buffer, salt: Buffer, info: Buffer, bytes: number) =>
  Buffer.from(hkdfSync("sha256", secret, salt, info, bytes));
