// What reading and writing of records have in common: who acts, which state was changed, and what became of it.
import { z } from "zod";
import type { Actor } from "#domain/site/audit.ts";
import { StorageError } from "#outside/object-storage.ts";
import type { Asked, Reply } from "./operation.ts";
import { problem } from "./problem.ts";

export const recordId = z.int().min(1).max(999_999_999);
export const recordPage = z.strictObject({
  page: z
    .int()
    .min(1)
    .max(100_000)
    .default(1)
    .meta({ description: "Of 50 rows each; one behind the last is the last." }),
});

/** Who acts: the member of the session, or the key's admin; the audit log names the key. */
export function actorOf({ key, member, visit }: Asked): Actor {
  if (key) {
    const user_agent = `API key ${key.key_id} (${key.note}) · ${visit.user_agent}`;
    return { user_id: key.user_id, origin: { ip: visit.ip, user_agent } };
  }
  if (!member) throw new Error("an act of the API was reached without a key and without a session");
  return { user_id: member.user_id, origin: visit };
}

/** What is said of every write that replaces a record. */
export const REPLACE =
  "`If-Match` has to name the revision that the change was made from: the ETag of the record as it was read.";

/** The revision in If-Match; the refusal where there is none. */
export function readRevision(headers: Headers): { revision: string } | { refusal: Response } {
  const given = headers.get("If-Match");
  const revision = /^"(\d{1,20})"$/.exec(given ?? "")?.[1];
  if (revision !== undefined) return { revision };
  if (given === null || given === "*") return { refusal: problem(428, REPLACE) };
  return { refusal: changed() };
}

export const changed = () =>
  problem(412, "The record is not as it was when it was read. Read it again, and make the change anew.");

/** A record with its revision, which is its ETag too. */
export const recordReply = <Shown extends { revision: string }>(
  record: Shown,
  status = 200,
  headers: Record<string, string> = {},
): Reply => ({
  status,
  json: record,
  headers: { ETag: `"${record.revision}"`, ...headers },
});

/** A store that fails is no fault of who asks. */
export async function unlessStoreFails(asked: Asked, work: () => Promise<Reply>): Promise<Reply> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    asked.app.log.warn({ err: error }, "the store of files could not be asked");
    return problem(503, "The store of files does not answer.", { headers: { "Retry-After": "60" } });
  }
}
