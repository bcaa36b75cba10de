/**
 * An error as the log may show it: a statement that failed without the values that it was given. They are addresses, hashes and
 * tokens of people, and a log is read by more than the database is.
 */
import { DrizzleQueryError } from "drizzle-orm/errors";
import { stdSerializers } from "pino";
import { isDatabaseAway } from "#db/database-away.ts";
import { quotedIn } from "#db/quoted-values.ts";

/** Of the driver's errors: what quotes rows and values, or is the statement's own. */
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

/** Errors as fields that say nothing but that the database is away, with their codes. */
const absences = new WeakMap<object, string>();

/** The code of the database's absence, in what `withoutValues` gives; undefined where its error is another, or none. */
export function absenceIn([first]: unknown[]): string | undefined {
  const err = typeof first === "object" && first !== null && "err" in first ? first.err : null;
  return typeof err === "object" && err !== null ? absences.get(err) : undefined;
}

/** What a line of the log is made of (pino's `logMethod`), with every error in it made safe, and its message where none is given. */
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
 * Of the database's absence one line: which statement met it, and where, says nothing of it, and there are many of them. A
 * statement that took too long (57014) is named: there it may be the reason.
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

/** The error as plain fields. The query of a failed statement is in its message, with $1 in place of each value. */
function loggedError(error: Error): { type: string; message: string } {
  const logged = fieldsOf(error);
  const code = findCode(error);
  // A statement that took too long (57014) may be the reason itself: each is said.
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
