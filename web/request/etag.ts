// Makes ETags of responses and checks whether the client already has one (RFC 9110, 8.8.3 and 13.1.2).
import { createHash } from "node:crypto";

/** The strong ETag of a response sent as these bytes. */
export const tagOf = (body: Uint8Array | string): string =>
  `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;

/** The weak ETag of a response that may be sent compressed. */
export const weakTagOf = (body: Uint8Array | string): string => `W/${tagOf(body)}`;

/** Checks whether an If-None-Match matches an ETag: weak comparison, lists allowed, `*` matches every ETag. */
export function namesTag(ifNoneMatch: string | null | undefined, etag: string): boolean {
  if (ifNoneMatch == null) return false;
  if (ifNoneMatch.trim() === "*") return true;
  const bare = etag.replace(/^W\//, "");
  return ifNoneMatch.split(",").some((tag) => tag.trim().replace(/^W\//, "") === bare);
}
