// Seals data that the site must read again (adapter passwords, keys, webhook addresses) with the site's secret.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Derives the key for one purpose; it opens nothing sealed for another. @param purpose never changes once in use */
export const sealingKey = (siteSecret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync("sha256", siteSecret, "", `spawnpoint: ${purpose}`, 32));

/** Seals a text as base64url; the name is authenticated, so that it opens under no other. */
export function seal(key: Buffer, name: string, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(name));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
}

/** Null: sealed with another secret, or not a sealed value. */
export function openSealed(key: Buffer, name: string, sealed: unknown): string | null {
  try {
    const bytes = Buffer.from(String(sealed), "base64url");
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(name))
      .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString();
  } catch {
    return null;
  }
}
