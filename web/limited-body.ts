// Takes no more of a request's body than an address allows, however it is sent. Hono's own step for this fails on bodies that
// come in pieces without a length: it hands our server's light request to a constructor that cannot read it.
import type { MiddlewareHandler } from "hono";

/** The bytes of a body; null for more than `most`, of which no more is read. */
export async function readBytes(request: Request, most: number): Promise<Uint8Array<ArrayBuffer> | null> {
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

/** The step that answers with `refuse` where a body is larger than `most` bytes. */
export function limitBody(most: number, refuse: () => Response): MiddlewareHandler {
  return async (c, next) => {
    const { method, headers, url, signal } = c.req.raw;
    if (method === "GET" || method === "HEAD") return next();
    const length = headers.get("Content-Length");
    if (length !== null && headers.get("Transfer-Encoding") === null) return Number(length) > most ? refuse() : next();
    // Its length is known only when it is there.
    const bytes = await readBytes(c.req.raw, most);
    if (bytes === null) return refuse();
    c.req.raw = new Request(url, { method, headers, signal, body: bytes.length > 0 ? bytes : null });
    return next();
  };
}
