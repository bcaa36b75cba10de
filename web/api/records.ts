// Shares code for reading and writing records: the actor, the revision, and the reply.
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

/** Gets the actor: the session's member, or the key's admin; the audit log names the key. */
export function actorOf({ key, member, visit }: Asked): Actor {
  if (key) {
    const user_agent = `API key ${key.key_id} (${key.note}) · ${visit.user_agent}`;
    return { user_id: key.user_id, origin: { ip: visit.ip, user_agent } };
  }
  if (!member) throw new Error("an act of the API was reached without a key and without a session");
  return { user_id: member.user_id, origin: visit };
}

/** The description of every write that replaces a record. */
export const REPLACE =
  "`If-Match` has to name the revision that the change was made from: the ETag of the record as it was read.";

/** Reads the revision in If-Match; refuses a request without one. */
export function readRevision(headers: Headers): { revision: string } | { refusal: Response } {
  const given = headers.get("If-Match");
  const revision = /^"(\d{1,20})"$/.exec(given ?? "")?.[1];
  if (revision !== undefined) return { revision };
  if (given === null || given === "*") return { refusal: problem(428, REPLACE) };
  return { refusal: changed() };
}

export const changed = () =>
  problem(412, "The record is not as it was when it was read. Read it again, and make the change anew.");

/** Replies with a record and its revision, which is its ETag too. */
export const recordReply = <Shown extends { revision: string }>(
  record: Shown,
  status = 200,
  headers: Record<string, string> = {},
): Reply => ({
  status,
  json: record,
  headers: { ETag: `"${record.revision}"`, ...headers },
});

/** Answers failures of the store, not the client's. */
export async function unlessStoreFails(asked: Asked, work: () => Promise<Reply>): Promise<Reply> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    asked.app.log.warn({ err: error }, "the store of files could not be asked");
    return problem(503, "The store of files does not answer.", { headers: { "Retry-After": "60" } });
  }
}
