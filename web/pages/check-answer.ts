// Answers `spawnpoint check`, which tests whether an address leads to this site and what proxies change on the way.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { OPERATOR_SETTINGS } from "#config";
import { readVisit } from "../request/visit.ts";

export const CHECK_HEADER = "x-spawnpoint-check";
/** How long a signed check is valid, which tolerates clocks that differ by less. */
const GOOD_FOR_MS = 10 * 60_000;

/** `nonce` and `proof` prove that the responder has the site's secret. */
export type CheckAnswer = {
  nonce: string;
  proof: string;
  now: string;
  /** The visitor's address as the site determined it, and the header that it may come from. */
  ip: string;
  forwarded_for: string | null;
  peer: string;
  trust_proxy: number;
  /** Each setting with a seal of its name and value: the holder of the secret sees which settings differ, but no value. */
  settings: Record<string, string>;
};

/** Settings that `spawnpoint start` chooses when the operator hasn't: not compared. */
const DECIDED = new Set(["DATABASE_URL", "WEB_WORKERS", "PROBE_ALLOW_CIDRS"]);

/** @param env from `environmentFor`, so that missing settings have their defaults */
export const sealSettings = (secret: string, env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    OPERATOR_SETTINGS.filter(({ name }) => !DECIDED.has(name)).map(({ name }) => [
      name,
      seal(secret, `set ${name}=${env[name] ?? ""}`).slice(0, 16),
    ]),
  );

const seal = (secret: string, text: string) => createHmac("sha256", secret).update(`check ${text}`).digest("base64url");

/** Makes the header of a check; requires the site's secret. */
export function signCheck(secret: string, nonce: string, now = Date.now()): string {
  return `${now}.${nonce}.${seal(secret, `asks ${now} ${nonce}`)}`;
}

/** Checks whether a response came from this site. */
export function isOwnAnswer(secret: string, nonce: string, answer: Partial<CheckAnswer>): boolean {
  return answer.nonce === nonce && answer.proof === seal(secret, `hears ${nonce}`);
}

/** Answers the check in the header; null without one, or if it was not signed with this site's secret. */
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
