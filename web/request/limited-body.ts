// Limits the size of a request's body by address, however it is sent. Hono's own middleware fails on chunked bodies without a
// length: it passes the server's light request to a constructor that cannot read it.
import type { Context, MiddlewareHandler } from "hono";
import type { RouteFacts } from "../pages/route-facts.ts";

/** Reads the bytes of a body; null for more than `most`, without reading the rest. */
async function readBytes(request: Request, most: number): Promise<Uint8Array<ArrayBuffer> | null> {
  if (Number(request.headers.get("Content-Length") ?? 0) > most) return null;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > most) return null;
    chunks.push(chunk);
  }
  return Uint8Array.from(Buffer.concat(chunks));
}

/** Reads a body within a form's time limit; "late" if it has not arrived by then. */
export async function readBytesInTime(
  request: Request,
  most: number,
  withinMs = MOST_MS,
): Promise<Uint8Array<ArrayBuffer> | null | "late"> {
  const limit = timer(withinMs);
  return Promise.race([readBytes(request, most), limit.passed]).finally(limit.clear);
}

/** A client that needs longer for a form of some kilobytes only wants to hold the connection. */
const MOST_MS = 10_000;

/** Makes the response to a refused body. */
export type RefuseBody = (c: Context, reason: "too_large" | "slow") => Response | Promise<Response>;

/**
 * Middleware: calls `refuse` if a body is larger than `most` bytes or does not arrive in time. Reads the whole body first, so that
 * a slow client holds no concurrency slot.
 * @param withinMs how long a body may take
 */
export function limitBody(most: number, refuse: RefuseBody, withinMs = MOST_MS): MiddlewareHandler {
  return async (c, next) => {
    const { method, headers, url, signal } = c.req.raw;
    if (method === "GET" || method === "HEAD") return next();
    const bytes = await readBytesInTime(c.req.raw, most, withinMs);
    if (bytes === "late") {
      const answer = await refuse(c, "slow");
      // The rest of the body would be read as the next request.
      answer.headers.set("Connection", "close");
      return answer;
    }
    if (bytes === null) return refuse(c, "too_large");
    c.set(BODY, bytes);
    c.req.raw = new Request(url, { method, headers, signal, body: bytes.length > 0 ? bytes : null });
    return next();
  };
}

/** The size limit of a form, except for addresses with their own. */
const MAX_FORM_BYTES = 64 * 1024;

/** Applies the limit to the forms of an address; its facts may be unknown. Uploads are read and limited by their action. */
export function limitForm(facts: RouteFacts | undefined, refuse: RefuseBody): MiddlewareHandler {
  const limited = limitBody(facts?.maxBody ?? MAX_FORM_BYTES, refuse);
  if (!facts?.takesFiles) return limited;
  return (c, next) => (isPlainForm(c.req.raw.headers) ? limited(c, next) : next());
}

/** Checks by the headers whether a form cannot contain a file. */
export const isPlainForm = (headers: Headers): boolean =>
  headers.get("Content-Type")?.toLowerCase().startsWith("application/x-www-form-urlencoded") === true;

const BODY = "body";

/** The whole body of a request that has passed; null: no body, or its action reads it. */
export const bodyOf = (c: Context): Uint8Array | null => c.get(BODY) ?? null;

function timer(ms: number): { passed: Promise<"late">; clear(): void } {
  const { promise, resolve } = Promise.withResolvers<"late">();
  const running = setTimeout(resolve, ms, "late");
  return { passed: promise, clear: () => clearTimeout(running) };
}
