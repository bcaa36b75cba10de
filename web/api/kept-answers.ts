// Caches read responses as bytes: made once per state of the site, with an ETag, and compressed on first request.
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { SiteSnapshot } from "../pages/site-snapshot.ts";
import { accepts } from "../request/accepted-encoding.ts";
import { weakTagOf } from "../request/etag.ts";

/** Per state of the site. */
const MOST_KEPT = 500;
const WORTH_COMPRESSING = 1_000;

export type KeptAnswer = {
  etag: string;
  headers: Record<string, string>;
  bytes: Uint8Array<ArrayBuffer>;
  gzip: () => Promise<Uint8Array<ArrayBuffer>>;
};

/** Makes the cache. It is dropped with the state of the site. */
export function createKeptAnswers() {
  const states = new WeakMap<SiteSnapshot, Map<string, KeptAnswer | null>>();
  /** Gets the result of `make` as bytes, cached under its complete name; null if it has none. */
  return (
    site: SiteSnapshot,
    name: string,
    make: () => { json: unknown; headers?: Record<string, string> } | null,
  ): KeptAnswer | null => {
    const kept = states.get(site) ?? new Map<string, KeptAnswer | null>();
    states.set(site, kept);
    const found = kept.get(name);
    if (found !== undefined) return found;
    const made = make();
    const answer = made && finish(made.json, made.headers ?? {});
    if (kept.size < MOST_KEPT) kept.set(name, answer);
    return answer;
  };
}

function finish(json: unknown, headers: Record<string, string>): KeptAnswer {
  const bytes = Uint8Array.from(Buffer.from(JSON.stringify(json)));
  let small: Promise<Uint8Array<ArrayBuffer>> | null = null;
  return {
    etag: weakTagOf(bytes),
    headers,
    bytes,
    gzip: () => {
      small ??= promisify(gzip)(bytes, { level: 5 }).then((packed) => Uint8Array.from(packed));
      return small;
    },
  };
}

/** Checks whether compressing a response is worthwhile and accepted. */
export const mayCompress = (answer: KeptAnswer, accepted: string | undefined): boolean =>
  answer.bytes.length > WORTH_COMPRESSING && accepts(accepted, "gzip");
