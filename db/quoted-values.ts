/** Finds values quoted in errors of failed statements: addresses, hashes and tokens of people. */
import { DrizzleQueryError } from "drizzle-orm/errors";

/** Returns the parts of an error's text, and of its causes, that quote values. */
export function quotedIn(error: unknown, depth = 0): string[] {
  if (!(error instanceof Error) || depth > 8) return [];
  const own: string[] = [];
  // As drizzle-orm/errors.js builds them.
  if (error instanceof DrizzleQueryError) own.push(`\nparams: ${error.params}`);
  // Postgres quotes unparsable input: invalid input syntax for type integer: "…".
  if ("severity" in error) own.push(quotedAtEnd(error.message));
  const inner = error instanceof AggregateError ? error.errors : [];
  return [...own, ...[error.cause, ...inner].flatMap((each) => quotedIn(each, depth + 1))].filter(
    (part) => part !== "",
  );
}

/** The quote from a message's first colon to its end; "" if it doesn't end with a quote. */
function quotedAtEnd(message: string): string {
  const start = message.indexOf(': "');
  const isQuote = start !== -1 && message.endsWith('"') && message.length > start + ': "'.length;
  return isQuote ? message.slice(start) : "";
}
