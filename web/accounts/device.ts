// Remembers in the browser only that a member has signed in there: such a device has its own budget, so strangers' guesses
// can't lock out its owner.
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Member } from "#domain/accounts/sessions.ts";
import type { SessionHere } from "#domain/accounts/users.ts";
import { cookieName, readCookie, setCookie } from "./cookies.ts";

const KEPT_S = 400 * 24 * 3600;
const MAX_ACCOUNTS = 5;

type Sealed = { siteUrl: string; secret: string };

const seal = (secret: string, device: string, email: string) =>
  createHmac("sha256", secret).update(`device ${device} ${email}`).digest("base64url").slice(0, 22);

const same = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

function read(site: Pick<Sealed, "siteUrl">, cookies: string | null): { device: string; marks: string[] } | null {
  const [device = "", ...marks] = (readCookie(cookies, cookieName(site.siteUrl, "device")) ?? "").split(".");
  return /^[\w-]{22}$/.test(device) ? { device, marks: marks.slice(0, MAX_ACCOUNTS) } : null;
}

/** Gets the device's name if this account has signed in on it before; null otherwise. */
export function knownDevice(site: Sealed, cookies: string | null, email: string): string | null {
  const found = read(site, cookies);
  if (!found) return null;
  const mark = seal(site.secret, found.device, email);
  return found.marks.some((kept) => same(kept, mark)) ? found.device : null;
}

/** Hashes the browser's id for the site's database; null unless a member has logged in with it. */
export function browserHash(site: Pick<Sealed, "siteUrl">, cookies: string | null): string | null {
  const found = read(site, cookies);
  return found && createHash("sha256").update(`browser ${found.device}`).digest("base64url").slice(0, 22);
}

/** Gets the session and browser of a member's request. */
export const sessionHere = (
  site: Pick<Sealed, "siteUrl">,
  request: Request,
  { session_id }: Pick<Member, "session_id">,
): SessionHere => ({ session_id, browser: browserHash(site, request.headers.get("Cookie")) });

/** Makes the Set-Cookie header after a sign-in. */
export function rememberDevice(site: Sealed, cookies: string | null, email: string): string {
  const { device, marks } = read(site, cookies) ?? { device: randomBytes(16).toString("base64url"), marks: [] };
  const mark = seal(site.secret, device, email);
  const kept = [mark, ...marks.filter((other) => other !== mark)].slice(0, MAX_ACCOUNTS);
  return setCookie(site.siteUrl, "device", [device, ...kept].join("."), KEPT_S);
}

/**
 * Makes a sign-up: the id for its browser, and the id's mark for the mailed link. The link signs in that browser alone, and
 * two sign-ups with one address have different marks.
 */
export function newSignUp(site: Sealed, email: string): { id: string; mark: string } {
  const id = randomBytes(16).toString("base64url");
  return { id, mark: seal(site.secret, `sign-up ${id}`, email) };
}

/** Checks whether this browser made the sign-up with this mark. */
export function didSignUp(site: Sealed, cookies: string | null, email: string, mark: string | undefined): boolean {
  const id = readCookie(cookies, cookieName(site.siteUrl, "sign_up"));
  return id !== null && mark !== undefined && same(seal(site.secret, `sign-up ${id}`, email), mark);
}
