// Seals the secrets of second factors: XChaCha20-Poly1305 with the SHA-256 of the site's secret as its key; nonce (24 bytes),
// ciphertext and tag in hexadecimal. Stored rows have this form, so it never changes.
import { createHash, randomBytes } from "node:crypto";
import { xchacha20poly1305 } from "@noble/ciphers/chacha.js";

const NONCE_BYTES = 24;

const cipherOf = (siteSecret: string, nonce: Uint8Array) =>
  xchacha20poly1305(createHash("sha256").update(siteSecret).digest(), nonce);

/** Seals a text with the site's secret. */
export function sealSecret(siteSecret: string, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const sealed = cipherOf(siteSecret, nonce).encrypt(Buffer.from(text));
  return Buffer.concat([nonce, sealed]).toString("hex");
}

/** Opens a sealed text; null: another secret sealed it, or it is no sealed text. */
export function openSecret(siteSecret: string, sealed: string): string | null {
  const bytes = Buffer.from(sealed, "hex");
  try {
    const opened = cipherOf(siteSecret, bytes.subarray(0, NONCE_BYTES)).decrypt(bytes.subarray(NONCE_BYTES));
    return Buffer.from(opened).toString();
  } catch {
    return null;
  }
}
