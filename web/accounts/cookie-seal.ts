// Seals session tokens in cookies and verifies the seals. A cookie's value is the token, a dot and its HMAC-SHA256 in Base64, the
// whole escaped for cookies. Browsers store it for a month, so it never changes.
import { createHmac, hash } from "node:crypto";

const BLOCK = 64;
const DIGEST = 32;
/** Characters of a digest in Base64. */
const SEAL = 44;
/** The longest text that can be checked. */
export const LONGEST_SEALED = 100;

/** Makes the value of a session cookie. */
export const sealToken = (secret: string, token: string): string =>
  encodeURIComponent(`${token}.${createHmac("sha256", secret).update(token).digest("base64")}`);

/**
 * Makes the check whether a `seal` is that of `text`, ASCII of at most a hundred characters, by the site's `secret`. It takes the
 * same time for every seal of the right length. Uses two plain hashes (RFC 2104): createHmac sets up a new state each time and
 * costs three times as much, and clients may send invented cookies by the thousand.
 */
export function createSealCheck(secret: string): (text: string, seal: string) => boolean {
  const key = Buffer.from(secret);
  const short = key.length > BLOCK ? hash("sha256", key, "buffer") : key;
  const padded = (byte: number, room: number) => {
    const bytes = Buffer.alloc(BLOCK + room, byte);
    for (const [at, value] of short.entries()) bytes[at] = byte ^ value;
    return bytes;
  };
  const inner = padded(0x36, LONGEST_SEALED);
  const outer = padded(0x5c, DIGEST);
  // A view reused from one text to the next: tokens have the same length.
  let hashed = inner;

  return (text, seal) => {
    if (text.length > LONGEST_SEALED || seal.length !== SEAL) return false;
    const length = BLOCK + inner.write(text, BLOCK, "latin1");
    if (hashed.length !== length) hashed = inner.subarray(0, length);
    // As texts: a Buffer of each hash would cost more than the hash.
    outer.write(hash("sha256", hashed, "binary"), BLOCK, "latin1");
    return isSameSeal(hash("sha256", outer, "base64"), seal);
  };
}

/** Compares all characters, wherever the first difference is; timingSafeEqual would need both as bytes first. */
function isSameSeal(right: string, given: string): boolean {
  let differences = 0;
  for (let at = 0; at < SEAL; at += 1) differences |= right.charCodeAt(at) ^ given.charCodeAt(at);
  return differences === 0;
}
