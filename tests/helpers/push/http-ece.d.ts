// What we use of http_ece, which has no types of its own.
declare module "http_ece" {
  import type { ECDH } from "node:crypto";

  /** Opens a body that was encrypted for a browser (RFC 8188 and 8291). */
  export function decrypt(body: Buffer, keys: { version: "aes128gcm"; privateKey: ECDH; authSecret: Buffer }): Buffer;
}
