// ETags of answers, and whether whoever asks has the answer already (RFC 9110, 8.8.3 and 13.1.2).
import { createHash } from "node:crypto";

/** The strong ETag of an answer that goes out as these bytes. */
export const tagOf = (body: Uint8Array | string): string =>
  `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;

/** The weak ETag of an answer that may go out compressed. */
export const weakTagOf = (body: Uint8Array | string): string => `W/${tagOf(body)}`;

/** Whether an If-None-Match names an ETag: compared weakly, in a list too, and `*` names each. */
export function namesTag(ifNoneMatch: string | null | undefined, etag: string): boolean {
  if (ifNoneMatch == null) return false;
  if (ifNoneMatch.trim() === "*") return true;
  const bare = etag.replace(/^W\//, "");
  return ifNoneMatch.split(",").some((tag) => tag.trim().replace(/^W\//, "") === bare);
}
