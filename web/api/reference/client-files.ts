// Serves GET /client.js and /client.d.ts: the client library and its types, for any site's scripts.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { Hono } from "hono";
import { accepts } from "../../request/accepted-encoding.ts";
import { namesTag, weakTagOf } from "../../request/etag.ts";
import { FOR_ALL_SITES } from "../endpoint.ts";

const FILES = { "/client.js": "text/javascript", "/client.d.ts": "text/plain" };

/** Serves the build's files in `dir`; reads them on first request. */
export function clientFiles(dir: string) {
  const endpoint = new Hono();
  for (const [address, type] of Object.entries(FILES)) {
    let kept: ReturnType<typeof read> | null = null;
    endpoint.get(address, async (c) => {
      kept ??= read(path.join(dir, address));
      const file = await kept.catch((error) => {
        kept = null;
        throw error;
      });
      const headers: Record<string, string> = {
        ...FOR_ALL_SITES,
        "Content-Type": `${type}; charset=utf-8`,
        "Cache-Control": "public, max-age=3600",
        ETag: file.etag,
        Vary: "Accept-Encoding",
        ...(address.endsWith(".js") ? { "X-TypeScript-Types": "/client.d.ts" } : {}),
      };
      if (namesTag(c.req.header("If-None-Match"), file.etag)) return c.body(null, 304, headers);
      if (!accepts(c.req.header("Accept-Encoding"), "gzip")) return c.body(file.bytes, 200, headers);
      return c.body(file.small, 200, { ...headers, "Content-Encoding": "gzip" });
    });
  }
  return endpoint;
}

async function read(file: string) {
  const bytes = Uint8Array.from(await readFile(file));
  return { bytes, small: Uint8Array.from(await promisify(gzip)(bytes, { level: 9 })), etag: weakTagOf(bytes) };
}
