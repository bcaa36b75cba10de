// Guards loaders and actions: requires a member, a recent confirmation of identity, or a permission.
import { data, type RouterContextProvider, redirect } from "react-router";
import type { Member } from "#domain/accounts/sessions.ts";
import { may, type Permission } from "#domain/permissions.ts";
import { addressIn, localeAt } from "#shared/locale.ts";
import { accountAwayContext, appContext, memberContext } from "./context.ts";
import { AGAIN, keepTyped, readTyped, type Typed } from "./forms/typed-before.ts";

/** `url`: of the page, also where a script requests its data or posts its form. */
type Asked = { context: Readonly<RouterContextProvider>; url: URL };

/** Gets the signed-in member; null: none. Throws if that is unknown. */
export function knownMember(context: Asked["context"]): Member | null {
  const away = context.get(accountAwayContext);
  if (away) throw away;
  return context.get(memberContext);
}

/** Gets the member. Otherwise throws a redirect to the sign-in, which leads back to this page. */
export function requireMember({ context, url }: Asked): Member {
  const member = knownMember(context);
  if (!member)
    throw redirect(addressIn(localeAt(url.pathname), `/login/?next=${encodeURIComponent(url.pathname + url.search)}`));
  return member;
}

/**
 * Gets the member for acts that could cost an account or the site (decision 025 lists them): members who have not
 * confirmed their identity within fifteen minutes have to, and return to this page.
 * @param back `typed`: the form's values, which the page shows again by `findTyped` (never a password or code); `path`:
 * where to return to, for an address that is no page
 */
export function requireFreshSession(asked: Asked, back: { typed?: Typed; path?: string } = {}): Member {
  const member = requireMember(asked);
  if (member.fresh) return member;
  const to = new URL(back.path ?? asked.url, asked.url);
  const headers = new Headers();
  const kept = back.typed && keepTyped(asked.context.get(appContext), member.user_id, to.pathname, back.typed);
  if (kept) {
    to.searchParams.set(AGAIN, "1");
    headers.append("Set-Cookie", kept);
  }
  const next = encodeURIComponent(to.pathname + to.search);
  throw redirect(addressIn(localeAt(asked.url.pathname), `/user/reauthenticate?next=${next}`), { headers });
}

/** Gets what the member typed on this page before confirming their identity; null: nothing. */
export function findTyped({ context, request, url }: Asked & { request: Request }): Typed | null {
  const member = context.get(memberContext);
  return member && readTyped(context.get(appContext), member.user_id, request, url);
}

/** Gets the member if their role permits this. Throws 403 for other members; its page says "This is for others." */
export function requirePermission(asked: Asked, permission: Permission): Member {
  const member = requireMember(asked);
  if (!may(member.role, permission)) throw data(null, { status: 403 });
  return member;
}
