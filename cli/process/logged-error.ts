/**
 * Makes errors safe for the log: removes the values of failed statements. They are personal addresses, hashes and tokens, and logs
 * have more readers than the database.
 */
import { DrizzleQueryError } from "drizzle-orm/errors";
import { stdSerializers } from "pino";
import { isDatabaseAway } from "#db/database-away.ts";
import { quotedIn } from "#db/quoted-values.ts";

/** Fields of the driver's errors that quote rows and values, or the statement. */
const QUOTING = new Set([
  "params",
  "parameters",
  "args",
  "detail",
  "where",
  "query",
  "internalQuery",
  "routine",
  "file",
  "line",
]);

/** Errors that only say that the database is unavailable, with their codes. */
const absences = new WeakMap<object, string>();

/** Returns the code of a database outage in the result of `withoutValues`; undefined for other errors, or none. */
export function absenceIn([first]: unknown[]): string | undefined {
  const err = typeof first === "object" && first !== null && "err" in first ? first.err : null;
  return typeof err === "object" && err !== null ? absences.get(err) : undefined;
}

/** Makes all errors in a log line's arguments (pino's `logMethod`) safe, and adds a missing message. */
export function withoutValues(given: unknown[]): unknown[] {
  const [first, ...rest] = given;
  if (first instanceof Error) {
    const err = loggedError(first);
    return [{ err }, ...(rest.length > 0 ? rest.map(safe) : [err.message])];
  }
  if (typeof first !== "object" || first === null) return given.map(safe);
  const fields = Object.fromEntries(Object.entries(first).map(([name, value]) => [name, safe(value)]));
  if (rest.length > 0 || !("err" in first) || !(first.err instanceof Error)) return [fields, ...rest.map(safe)];
  return [fields, loggedError(first.err).message];
}

function safe(value: unknown): unknown {
  if (value instanceof Error) return loggedError(value);
  return Array.isArray(value) ? value.map(safe) : value;
}

/**
 * Describes an outage in one line: the many affected statements don't matter. A timed-out statement (57014) is named: it may be the
 * reason.
 */
function absenceOf(error: Error): { type: string; code: string; message: string } | null {
  if (!isDatabaseAway(error)) return null;
  const messages: string[] = [];
  let ofStatement = false;
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    // Drizzle's message is the statement.
    if (at instanceof DrizzleQueryError) ofStatement = true;
    else messages.push(at.message);
    if (!("code" in at) || typeof at.code !== "string") continue;
    return at.code === "57014" || !ofStatement ? null : { type: at.name, code: at.code, message: messages.join(": ") };
  }
  return null;
}

/** Returns the error as plain fields. Its message has the failed query, with $1 in place of each value. */
function loggedError(error: Error): { type: string; message: string } {
  const logged = fieldsOf(error);
  const code = findCode(error);
  // A timed-out statement (57014) may be the cause itself: log each.
  if (isDatabaseAway(error) && code !== "57014") absences.set(logged, code ?? "");
  return logged;
}

function findCode(error: Error): string | null {
  for (let at: unknown = error; at instanceof Error; at = at.cause)
    if ("code" in at && typeof at.code === "string") return at.code;
  return null;
}

function fieldsOf(error: Error): { type: string; message: string } {
  const absence = absenceOf(error);
  if (absence) return absence;
  const quoted = quotedIn(error);
  const clean = (value: unknown): unknown => {
    if (typeof value === "string") return quoted.reduce((text, part) => text.replaceAll(part, ""), value);
    if (Array.isArray(value)) return value.map(clean);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, each]) => (QUOTING.has(name) ? [] : [[name, clean(each)]])),
    );
  };
  const { type, message, stack, ...more } = stdSerializers.err(error);
  const said = clean({ ...more, stack });
  return {
    ...(typeof said === "object" ? said : {}),
    type: type ?? "Error",
    message: String(clean(message)),
  };
}
