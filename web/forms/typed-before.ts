// Stores a form's values in the browser only, while the member confirms their identity, and shows them again on return.
import { readSealedCookie, setSealedCookie } from "../accounts/cookies.ts";
import type { AppParts } from "../context.ts";

/** The fields of a form by name. */
export type Typed = Record<string, string | string[]>;

const KEPT_S = 15 * 60;
/** Browsers refuse longer cookies; larger forms are not stored. */
const MOST_CHARACTERS = 3_500;

/** Marks the address of the return: only that page shows the stored values, and only then. */
export const AGAIN = "again";

type Site = Pick<AppParts, "siteUrl" | "secret">;

/** What the browser stores. `path`: of the page. */
type Kept = { user_id: string; path: string; typed: Typed };

/** Makes the Set-Cookie header that stores it; null if there is nothing to store, or too much. */
export function keepTyped(site: Site, userId: string, path: string, typed: Typed): string | null {
  if (Object.keys(typed).length === 0) return null;
  const kept: Kept = { user_id: userId, path, typed };
  const cookie = setSealedCookie(site, "typed", kept, KEPT_S);
  return cookie.length > MOST_CHARACTERS ? null : cookie;
}

/** Reads what this member typed on this page before; null: nothing, or they did not return from confirming their identity. */
export function readTyped(site: Site, userId: string, request: Request, { pathname, searchParams }: URL): Typed | null {
  if (!searchParams.has(AGAIN)) return null;
  const kept = readSealedCookie<Kept>(site, request.headers.get("Cookie"), "typed");
  return kept?.user_id === userId && kept.path === pathname ? kept.typed : null;
}

/** Gets a field as text; empty if the field is not text. */
export const typedText = (typed: Typed | null, name: string): string => {
  const value = typed?.[name];
  return typeof value === "string" ? value : "";
};
