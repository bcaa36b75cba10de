/** Sends one HTTP request with a body to an address that a person typed: only to the checked address, with a deadline and a limited response. */
import { type ClientRequest, request as postInTheOpen, type RequestOptions } from "node:http";
import { request as postEncrypted } from "node:https";
import { isIP } from "node:net";
import { createGameAddressResolver } from "./game-address.ts";
import { AddressRanges } from "./game-address-rules.ts";
import { neverResolve } from "./never-resolve.ts";
import { readRetryAfter } from "./retry-after.ts";

/** Why no readable response was received. */
export type PostFailure = "dns" | "blocked" | "refused" | "certificate" | "timeout" | "broken";

/** The result. `body`: the beginning of the response as text; `retryAfterS`: the wait that it requests, if any. */
type PostResult =
  | { ok: true; status: number; body: string; retryAfterS: number | null }
  | { ok: false; failure: PostFailure };

export type CheckedPost = {
  /** Finds why nothing can be sent there now; null: the address is valid and allowed. Opens no connection. */
  check(url: string): Promise<"dns" | "blocked" | null>;
  /** Never rejects. Sends `bytes` unchanged; a response counts from its status line on, however its body ends. */
  post(
    url: string,
    headers: Readonly<Record<string, string>>,
    bytes: string,
    options?: { signal?: AbortSignal | undefined; method?: "POST" | "PUT" },
  ): Promise<PostResult>;
};

/** The limit of the response's body; the rest is ignored. */
const MOST_BYTES = 4_096;
const MOST_HEADER_BYTES = 8_192;
const LIMIT_MS = 10_000;

/**
 * Makes the sender. Checks an address each time by the rule of game servers, and connects to exactly that address; the port may
 * be 80 or 443 too. Unencrypted only to a private address that `allowCidrs` allows. Follows no redirect.
 * @param options.ca certificate authorities besides the known ones; `limitMs`: for the whole exchange; both for tests
 */
export function createCheckedPost(options: {
  allowCidrs: readonly string[];
  deniedPorts: readonly number[];
  servers?: readonly string[];
  ca?: string;
  limitMs?: number;
}): CheckedPost {
  const own = new AddressRanges(options.allowCidrs);
  const resolver = createGameAddressResolver({ ...options, openPorts: [80, 443] });
  const limitMs = options.limitMs ?? LIMIT_MS;

  /** Resolves an address now, or finds why it can't. */
  const find = async (typed: string) => {
    const url = URL.parse(typed);
    if (!url || !isPostAddress(url)) return { ok: false as const, failure: "blocked" as const };
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
    const found = await resolver.resolve({ host, port });
    if (found.ok && url.protocol === "http:" && !own.has(found.address))
      return { ok: false as const, failure: "blocked" as const };
    return found.ok ? { ...found, url, host } : found;
  };

  return {
    async check(typed) {
      const found = await find(typed);
      return found.ok ? null : found.failure;
    },
    async post(typed, headers, bytes, { signal, method = "POST" } = {}) {
      const startedAt = performance.now();
      const found = await find(typed);
      if (!found.ok) return { ok: false, failure: found.failure };
      const { url, host, port } = found;
      const target: RequestOptions & { servername?: string; ca?: string | undefined } = {
        host: found.address,
        port,
        family: found.family,
        lookup: neverResolve,
        // A socket of its own, closed after the response.
        agent: false,
        method,
        path: `${url.pathname}${url.search}`,
        setHost: false,
        maxHeaderSize: MOST_HEADER_BYTES,
        insecureHTTPParser: false,
        headers: {
          Host: url.host,
          "User-Agent": "Spawnpoint",
          "Accept-Encoding": "identity",
          "Content-Length": String(Buffer.byteLength(bytes)),
          Connection: "close",
          ...headers,
        },
        servername: isIP(host) === 0 ? host : "",
        ...(options.ca && { ca: options.ca }),
      };
      return exchange({ target, encrypted: url.protocol === "https:", bytes, signal, endsAt: startedAt + limitMs });
    },
  };
}

/** Checks for an address that can receive posts: a plain web address, without a name and password. */
const isPostAddress = (url: URL): boolean =>
  (url.protocol === "https:" || url.protocol === "http:") &&
  url.username === "" &&
  url.password === "" &&
  url.host !== "";

type Exchange = {
  target: RequestOptions;
  encrypted: boolean;
  bytes: string;
  signal: AbortSignal | undefined;
  /** By the monotonic clock. */
  endsAt: number;
};

function exchange({ target, encrypted, bytes, signal, endsAt }: Exchange): Promise<PostResult> {
  return new Promise((resolve) => {
    let asking: ClientRequest | undefined;
    let head: { status: number; retryAfterS: number | null } | null = null;
    const parts: Buffer[] = [];
    let isOver = false;

    const end = (result: PostResult): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      signal?.removeEventListener("abort", expire);
      asking?.destroy();
      resolve(result);
    };
    /** Ends with what is known: a response if its head has arrived. */
    const finish = (failure: PostFailure): void =>
      head === null
        ? end({ ok: false, failure })
        : end({ ok: true, ...head, body: Buffer.concat(parts).subarray(0, MOST_BYTES).toString() });
    const expire = (): void => finish("timeout");
    const timer = setTimeout(expire, Math.max(0, endsAt - performance.now()));
    signal?.addEventListener("abort", expire);
    if (signal?.aborted) return expire();

    try {
      asking = (encrypted ? postEncrypted : postInTheOpen)(target);
    } catch {
      // The address contains characters that a request can't.
      return end({ ok: false, failure: "blocked" });
    }
    asking.on("error", (error) => finish(failureOf(error)));
    asking.on("close", () => finish("broken"));
    // The server wants to switch protocols.
    asking.on("upgrade", (_, socket) => {
      socket.destroy();
      finish("broken");
    });
    asking.on("response", (response) => {
      const status = response.statusCode ?? 0;
      head = { status, retryAfterS: readRetryAfter(response.headers["retry-after"]) };
      let length = 0;
      response.on("data", (part: Buffer) => {
        parts.push(part);
        length += part.length;
        if (length >= MOST_BYTES) finish("broken");
      });
      response.on("error", () => finish("broken"));
      response.on("end", () => finish("broken"));
    });
    asking.end(bytes);
  });
}

function failureOf(error: NodeJS.ErrnoException): PostFailure {
  const code = error.code ?? "";
  if (/^(?:ECONNREFUSED|ECONNRESET|EPIPE|EHOSTUNREACH|ENETUNREACH)$/.test(code)) return "refused";
  if (code === "ETIMEDOUT") return "timeout";
  return /CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/.test(code) ? "certificate" : "broken";
}
