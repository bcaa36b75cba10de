/** A code of an authenticator app, by hand after RFC 6238 (SHA-1, six digits, 30 s), so that no test believes the code it tests. */
import { createHmac } from "node:crypto";

/** @param base32 the key as the page shows it, without spaces. @param step 30-second steps since 1970. */
export function totp(base32: string, step: number): string {
  const bits = [...base32]
    .map((c) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(c).toString(2).padStart(5, "0"))
    .join("");
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", key).update(counter).digest();
  const at = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

export const stepNow = (): number => Math.floor(Date.now() / 30_000);
