/** Where the errors of failed statements quote values: those are addresses, hashes and tokens of people. */
import { DrizzleQueryError } from "drizzle-orm/errors";

/** The parts of an error's text, and of those that led to it, that quote values. */
export function quotedIn(error: unknown, depth = 0): string[] {
  if (!(error instanceof Error) || depth > 8) return [];
  const own: string[] = [];
  // As drizzle-orm/errors.js puts them together.
  if (error instanceof DrizzleQueryError) own.push(`\nparams: ${error.params}`);
  // Postgres quotes what it could not read: invalid input syntax for type integer: "…".
  if ("severity" in error) own.push(quotedAtEnd(error.message));
  const inner = error instanceof AggregateError ? error.errors : [];
  return [...own, ...[error.cause, ...inner].flatMap((each) => quotedIn(each, depth + 1))].filter(
    (part) => part !== "",
  );
}

/** What a message quotes behind its first colon, up to its end; "" where it ends without a quote. */
function quotedAtEnd(message: string): string {
  const start = message.indexOf(': "');
  const isQuote = start !== -1 && message.endsWith('"') && message.length > start + ': "'.length;
  return isQuote ? message.slice(start) : "";
}
