// The questions that a guarded loader or action asks first: who is it, and have they just shown who they are.
import { data, type RouterContextProvider, redirect } from "react-router";
import { may, type Permission } from "#domain/permissions.ts";
import type { Member } from "#domain/sessions.ts";
import { memberContext } from "./context.ts";

type Asked = { context: Readonly<RouterContextProvider>; request: Request };

/** The member who asks. Throws the way to the sign-in, and back to this page afterwards. */
export function requireMember({ context, request }: Asked): Member {
  const member = context.get(memberContext);
  if (!member) throw redirect(`${spoken(request)}/login/?next=${encodeURIComponent(backTo(request))}`);
  return member;
}

/**
 * The same for acts that could cost the account (e-mail, password, second factor, passkeys, deletion): whoever has not shown
 * who they are within ten minutes is asked for it, and comes back to this page.
 */
export function requireFreshSession(asked: Asked): Member {
  const member = requireMember(asked);
  if (member.fresh) return member;
  throw redirect(`${spoken(asked.request)}/user/reauthenticate?next=${encodeURIComponent(backTo(asked.request))}`);
}

/**
 * The member who asks, if their role may do this. Throws 403 for a member who may not; its page says "This is for others."
 */
export function requirePermission(asked: Asked, permission: Permission): Member {
  const member = requireMember(asked);
  if (!may(member.role, permission)) throw data(null, { status: 403 });
  return member;
}

/** The page itself, also where its data or its action was asked for. */
function backTo(request: Request): string {
  const url = new URL(request.url);
  url.searchParams.delete("_routes");
  return url.pathname.replace(/\.data$/, "") + url.search;
}

const spoken = (request: Request) => (/^\/de(?:\/|$)/.test(new URL(request.url).pathname) ? "/de" : "");
