// Takes no more of a request's body than an address allows, however it is sent. Hono's own step for this fails on bodies that
// come in pieces without a length: it hands our server's light request to a constructor that cannot read it.
import type { Context, MiddlewareHandler } from "hono";
import type { RouteFacts } from "../pages/route-facts.ts";

/** The bytes of a body; null for more than `most`, of which no more is read. */
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

/** The same, within as much time as a form has: "late" for what has not arrived by then. */
export async function readBytesInTime(
  request: Request,
  most: number,
  withinMs = MOST_MS,
): Promise<Uint8Array<ArrayBuffer> | null | "late"> {
  const limit = timer(withinMs);
  return Promise.race([readBytes(request, most), limit.passed]).finally(limit.clear);
}

/** Whoever takes longer over a form of some kilobytes has another reason to hold the connection. */
const MOST_MS = 10_000;

/** The answer to a body that is refused. */
export type RefuseBody = (c: Context, reason: "too_large" | "slow") => Response | Promise<Response>;

/**
 * The step that answers with `refuse` where a body is larger than `most` bytes, or does not arrive. What comes after it has the
 * whole body, so that nobody holds a place there by sending slowly.
 * @param withinMs how long a body may take
 */
export function limitBody(most: number, refuse: RefuseBody, withinMs = MOST_MS): MiddlewareHandler {
  return async (c, next) => {
    const { method, headers, url, signal } = c.req.raw;
    if (method === "GET" || method === "HEAD") return next();
    const bytes = await readBytesInTime(c.req.raw, most, withinMs);
    if (bytes === "late") {
      const answer = await refuse(c, "slow");
      // The rest of it would be taken for the next request.
      answer.headers.set("Connection", "close");
      return answer;
    }
    if (bytes === null) return refuse(c, "too_large");
    c.set(BODY, bytes);
    c.req.raw = new Request(url, { method, headers, signal, body: bytes.length > 0 ? bytes : null });
    return next();
  };
}

/** What a form may weigh, but for the addresses that say otherwise. */
const MAX_FORM_BYTES = 64 * 1024;

/** The same step for the forms of an address, whose facts are known or not. What brings a file is read by its action, which limits it too. */
export function limitForm(facts: RouteFacts | undefined, refuse: RefuseBody): MiddlewareHandler {
  const limited = limitBody(facts?.maxBody ?? MAX_FORM_BYTES, refuse);
  if (!facts?.takesFiles) return limited;
  return (c, next) => (isPlainForm(c.req.raw.headers) ? limited(c, next) : next());
}

/** Whether it is a form that cannot bring a file, by what its headers say. */
export const isPlainForm = (headers: Headers): boolean =>
  headers.get("Content-Type")?.toLowerCase().startsWith("application/x-www-form-urlencoded") === true;

const BODY = "body";

/** The whole body of a request that has passed; null where there is none, or where its action reads it by itself. */
export const bodyOf = (c: Context): Uint8Array | null => c.get(BODY) ?? null;

function timer(ms: number): { passed: Promise<"late">; clear(): void } {
  const { promise, resolve } = Promise.withResolvers<"late">();
  const running = setTimeout(resolve, ms, "late");
  return { passed: promise, clear: () => clearTimeout(running) };
}
