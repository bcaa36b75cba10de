// Visitors' pages as finished bytes: compressed ahead, with an ETag, made again after a change at most once a second, and
// answered straight from memory.
import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Logger } from "pino";
import { type Encoding, encodingFor } from "../request/accepted-encoding.ts";
import { namesTag, weakTagOf } from "../request/etag.ts";
import { varyAt } from "../request/language.ts";

const MIN_AGE_MS = 1_000;
/** A page tells how long ago things were, so it is made again after this even where nothing changed. */
const MAX_AGE_MS = 15_000;
/** An outdated page is shown while the new one is made, but none older than this: then whoever asks waits. */
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

/** Where a page came from: fresh from memory, stale from memory while a new one is made, or made for the request. */
export type ResponseCacheResult = "fresh" | "stale" | "made";

/** Makes a page; `cause` is the request for which it is made first, others may wait for it too. */
export type MakePage = (request: Request, cause: IncomingMessage) => Promise<Response>;

export type ResponseCache = {
  /**
   * Answers from the cache, rendering first where needed. False when the request is not for it. `origin`: with what the page's
   * links begin, where that is not the site's address.
   */
  serve(request: IncomingMessage, response: ServerResponse, origin?: string): boolean;
  /** Everything kept is stale from now on; `shown`: and no more to be shown, because it is of another catalog. */
  invalidate(shown?: "no more"): void;
};

/**
 * Makes the cache. `addressOf` turns what is asked for into the address of a page that every visitor sees alike, with as much
 * of its query as plays a part; null: it is none. `maxBytes` is what may be kept. `headers` go out with every page.
 */
export function createResponseCache(options: {
  render: MakePage;
  addressOf: (url: string) => string | null;
  maxBytes?: number;
  siteUrl: string;
  headers: Record<string, string>;
  onError: (request: IncomingMessage, response: ServerResponse, error: unknown) => void;
  /** Told of each request that is answered here. */
  onServe?: ((result: ResponseCacheResult) => void) | undefined;
  log: Logger;
}): ResponseCache {
  const { maxBytes = MAX_BYTES } = options;
  const pages = new Map<string, Page>();
  const rendering = new Map<string, { version: number; page: Promise<Page> }>();
  let version = 0;
  /** Pages of before are shown to nobody. */
  let oldest = 0;
  let bytes = 0;

  async function render(address: string, cause: IncomingMessage): Promise<Page> {
    const started = version;
    const url = new URL(address, options.siteUrl);
    let response: Response;
    try {
      response = await options.render(new Request(url), cause);
    } catch (error) {
      // What could not be made just now takes nothing away that may still be shown.
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
    // An unknown address, an error or a redirect is answered, not kept: there is no end to unknown addresses.
    // What was kept under it goes: it may have been hidden just now.
    // One that took so long that a newer one stands there already is left aside.
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

  /** One rendering at a time for each page. */
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
