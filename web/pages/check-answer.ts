// What `spawnpoint check` is told of a request, so that it can see whether an address leads here and what proxies do on the way.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { OPERATOR_SETTINGS } from "#config";
import { readVisit } from "../request/visit.ts";

export const CHECK_HEADER = "x-spawnpoint-check";
/** A question is good for this long, whichever of the two clocks is wrong by how much less. */
const GOOD_FOR_MS = 10 * 60_000;

/** `nonce` and `proof` say that whoever answers has the secret of this site. */
export type CheckAnswer = {
  nonce: string;
  proof: string;
  now: string;
  /** The visitor's address as the site takes it, and the header that it may come from. */
  ip: string;
  forwarded_for: string | null;
  peer: string;
  trust_proxy: number;
  /** Each setting with a seal of its name and value: shows which settings differ to the holder of the secret, and no value. */
  settings: Record<string, string>;
};

/** Settings that `spawnpoint start` chooses when the operator hasn't: not compared. */
const DECIDED = new Set(["DATABASE_URL", "WEB_WORKERS", "PROBE_ALLOW_CIDRS"]);

/** @param env as `environmentFor` gives it, so that what is left out counts as its default */
export const sealSettings = (secret: string, env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    OPERATOR_SETTINGS.filter(({ name }) => !DECIDED.has(name)).map(({ name }) => [
      name,
      seal(secret, `set ${name}=${env[name] ?? ""}`).slice(0, 16),
    ]),
  );

const seal = (secret: string, text: string) => createHmac("sha256", secret).update(`check ${text}`).digest("base64url");

/** The header of a question; only who knows the site's secret can make one. */
export function signCheck(secret: string, nonce: string, now = Date.now()): string {
  return `${now}.${nonce}.${seal(secret, `asks ${now} ${nonce}`)}`;
}

/** Whether an answer came from this very site. */
export function isOwnAnswer(secret: string, nonce: string, answer: Partial<CheckAnswer>): boolean {
  return answer.nonce === nonce && answer.proof === seal(secret, `hears ${nonce}`);
}

/** The answer to a question in the header; null where there is none, or one that this site's own check did not sign. */
export function answerCheck(
  request: IncomingMessage,
  site: { secret: string; trustProxy: number; env?: () => NodeJS.ProcessEnv },
  now = Date.now(),
): CheckAnswer | null {
  const [, asked = "", nonce = "", given = ""] =
    /^(\d{13})\.([\w-]{16,40})\.([\w-]{43})$/.exec(String(request.headers[CHECK_HEADER] ?? "")) ?? [];
  const right = seal(site.secret, `asks ${asked} ${nonce}`);
  if (given.length !== right.length || !timingSafeEqual(Buffer.from(given), Buffer.from(right))) return null;
  if (Math.abs(now - Number(asked)) > GOOD_FOR_MS) return null;
  const forwarded = request.headers["x-forwarded-for"];
  return {
    nonce,
    proof: seal(site.secret, `hears ${nonce}`),
    now: new Date(now).toISOString(),
    ip: readVisit(request, site.trustProxy).ip,
    forwarded_for: forwarded === undefined ? null : String(forwarded).slice(0, 1000),
    peer: request.socket.remoteAddress ?? "",
    trust_proxy: site.trustProxy,
    settings: site.env ? sealSettings(site.secret, site.env()) : {},
  };
}
