// Stores a form's values in the browser only, while the member confirms their identity, and shows them again on return.
import { createHmac, timingSafeEqual } from "node:crypto";
import { cookieName, readCookie, setCookie } from "../accounts/cookies.ts";
import type { AppParts } from "../context.ts";

/** The fields of a form by name. */
export type Typed = Record<string, string | string[]>;

const KEPT_S = 15 * 60;
/** Browsers refuse longer cookies; larger forms are not stored. */
const MOST_CHARACTERS = 3_000;

/** Marks the address of the return: only that page shows the stored values, and only then. */
export const AGAIN = "again";

const seal = (secret: string, userId: string, text: string) =>
  createHmac("sha256", secret).update(`typed ${userId} ${text}`).digest("base64url").slice(0, 22);

type Site = Pick<AppParts, "siteUrl" | "secret">;

/** Makes the Set-Cookie header that stores it; null if there is nothing to store, or too much. */
export function keepTyped(site: Site, userId: string, path: string, typed: Typed): string | null {
  const text = Buffer.from(JSON.stringify([path, typed])).toString("base64url");
  if (Object.keys(typed).length === 0 || text.length > MOST_CHARACTERS) return null;
  return setCookie(site.siteUrl, "typed", `${text}.${seal(site.secret, userId, text)}`, KEPT_S);
}

/** Reads what this member typed on this page before; null: nothing, or they did not return from confirming their identity. */
export function readTyped(site: Site, userId: string, request: Request, { pathname, searchParams }: URL): Typed | null {
  if (!searchParams.has(AGAIN)) return null;
  const [text = "", mark = ""] = (
    readCookie(request.headers.get("Cookie"), cookieName(site.siteUrl, "typed")) ?? ""
  ).split(".");
  const good = seal(site.secret, userId, text);
  if (mark.length !== good.length || !timingSafeEqual(Buffer.from(mark), Buffer.from(good))) return null;
  const [path, typed]: [string, Typed] = JSON.parse(Buffer.from(text, "base64url").toString());
  return path === pathname ? typed : null;
}

/** Gets a field as text; empty if the field is not text. */
export const typedText = (typed: Typed | null, name: string): string => {
  const value = typed?.[name];
  return typeof value === "string" ? value : "";
};
