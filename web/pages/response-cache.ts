// Caches anonymous pages in memory: compressed ahead, with an ETag, rendered again after a change at most once a second.
import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Logger } from "pino";
import { type Encoding, encodingFor } from "../request/accepted-encoding.ts";
import { namesTag, weakTagOf } from "../request/etag.ts";
import { varyAt } from "../request/language.ts";

const MIN_AGE_MS = 1_000;
/** A page shows how long ago things happened, so it is rendered again after this even without a change. */
const MAX_AGE_MS = 15_000;
/** An outdated page is sent while the new one is rendered, up to this age: then requests wait. */
const MAX_STALE_MS = { changed: 2_000, same: 30_000 };
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_PAGE_BYTES = 8 * 1024 * 1024;

type Page = {
  version: number;
  renderedAt: number;
  status: number;
  etag: string;
  headers: Record<Encoding, string[]>;
  notModified: string[];
  bodies: Record<Encoding, Buffer>;
  bytes: number;
};

/** The source of a page: fresh from memory, stale from memory while a new one is rendered, or rendered for the request. */
export type ResponseCacheResult = "fresh" | "stale" | "made";

/** Renders a page; `cause` is the first request for it, others may wait for it too. */
export type MakePage = (request: Request, cause: IncomingMessage) => Promise<Response>;

export type ResponseCache = {
  /**
   * Answers from the cache, rendering first where needed. False when the request is not for it. `origin`: the start of the
   * page's links, if not the site's address.
   */
  serve(request: IncomingMessage, response: ServerResponse, origin?: string): boolean;
  /** Marks all cached pages as stale; `shown`: and no longer to be sent, because they are of another catalog. */
  invalidate(shown?: "no more"): void;
};

/**
 * Makes the cache. `addressOf` maps a requested address to that of a page that every visitor sees alike, with the relevant
 * part of its query; null: there is none. `maxBytes` limits the cache. `headers` are sent with every page.
 */
export function createResponseCache(options: {
  render: MakePage;
  addressOf: (url: string) => string | null;
  maxBytes?: number;
  siteUrl: string;
  headers: Record<string, string>;
  onError: (request: IncomingMessage, response: ServerResponse, error: unknown) => void;
  /** Called for each request that is answered here. */
  onServe?: ((result: ResponseCacheResult) => void) | undefined;
  log: Logger;
}): ResponseCache {
  const { maxBytes = MAX_BYTES } = options;
  const pages = new Map<string, Page>();
  const rendering = new Map<string, { version: number; page: Promise<Page> }>();
  let version = 0;
  /** Pages of earlier versions are never sent. */
  let oldest = 0;
  let bytes = 0;

  async function render(address: string, cause: IncomingMessage): Promise<Page> {
    const started = version;
    const url = new URL(address, options.siteUrl);
    let response: Response;
    try {
      response = await options.render(new Request(url), cause);
    } catch (error) {
      // A failed rendering doesn't remove a page that may still be sent.
      const kept = pages.get(address);
      if (kept && kept.version >= oldest) return kept;
      throw error;
    }
    const body = Buffer.from(await response.arrayBuffer());
    const [br, gz] = await Promise.all([
      promisify(brotliCompress)(body, {
        params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
      }),
      promisify(gzip)(body, { level: 6 }),
    ]);
    const etag = weakTagOf(body);
    const common = {
      ...options.headers,
      ...Object.fromEntries(response.headers),
      "cache-control": "no-cache",
      vary: varyAt(url.pathname),
      etag,
    };
    const withLength = (encoding: Encoding, content: Buffer) =>
      flat({
        ...common,
        ...(encoding === "identity" ? {} : { "content-encoding": encoding }),
        "content-length": String(content.length),
      });
    const page: Page = {
      version: started,
      renderedAt: performance.now(),
      status: response.status,
      etag,
      headers: { br: withLength("br", br), gzip: withLength("gzip", gz), identity: withLength("identity", body) },
      notModified: flat(common),
      bodies: { br, gzip: gz, identity: body },
      bytes: body.length + br.length + gz.length,
    };
    // Unknown addresses, errors and redirects are sent, but not cached: unknown addresses are unlimited. Removes the cached
    // page of that address, which may have just been hidden. A slow rendering does not replace a newer one.
    const kept = pages.get(address);
    if ((kept?.version ?? 0) > page.version) return page;
    if (page.status >= 500 && kept && kept.version >= oldest) return kept;
    if (page.status === 200 && page.bytes <= MAX_PAGE_BYTES) keep(address, page);
    else drop(address);
    return page;
  }

  function drop(address: string) {
    bytes -= pages.get(address)?.bytes ?? 0;
    pages.delete(address);
  }

  function keep(address: string, page: Page) {
    drop(address);
    bytes += page.bytes;
    pages.set(address, page);
    for (const [oldest, { bytes: freed }] of pages) {
      if (bytes <= maxBytes) break;
      pages.delete(oldest);
      bytes -= freed;
    }
  }

  /** Each page is rendered once at a time. */
  function refresh(address: string, cause: IncomingMessage): Promise<Page> {
    const running = rendering.get(address);
    if (running && running.version >= oldest) return running.page;
    const started = {
      version,
      page: render(address, cause).finally(() => {
        if (rendering.get(address) === started) rendering.delete(address);
      }),
    };
    rendering.set(address, started);
    return started.page;
  }

  function send(request: IncomingMessage, response: ServerResponse, page: Page) {
    if (namesTag(request.headers["if-none-match"], page.etag) && page.status === 200) {
      response.writeHead(304, page.notModified).end();
      return;
    }
    const encoding = encodingFor(request.headers["accept-encoding"]);
    response.writeHead(page.status, page.headers[encoding]);
    response.end(request.method === "HEAD" ? undefined : page.bodies[encoding]);
  }

  return {
    serve(request, response, origin = options.siteUrl) {
      if (request.method !== "GET" && request.method !== "HEAD") return false;
      const path = options.addressOf(request.url ?? "/");
      if (path === null) return false;
      const address = origin === options.siteUrl ? path : origin + path;
      const kept = pages.get(address);
      const page = kept && kept.version >= oldest ? kept : undefined;
      const age = page ? performance.now() - page.renderedAt : 0;
      const kind = page?.version === version ? "same" : "changed";
      if (page && age < (kind === "same" ? MAX_AGE_MS : MIN_AGE_MS)) {
        options.onServe?.("fresh");
        send(request, response, page);
      } else if (page && age < MAX_STALE_MS[kind]) {
        options.onServe?.("stale");
        send(request, response, page);
        refresh(address, request).catch((error) =>
          options.log.error({ err: error, path: address }, "a page could not be made again"),
        );
      } else {
        options.onServe?.("made");
        refresh(address, request).then(
          (fresh) => send(request, response, fresh),
          (error) => options.onError(request, response, error),
        );
      }
      return true;
    },
    invalidate(shown) {
      version += 1;
      if (shown === "no more") oldest = version;
    },
  };
}

function flat(headers: Record<string, string>): string[] {
  return Object.entries(headers).flat();
}
