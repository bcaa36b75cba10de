// Endpoint for a member's mail follows, used by the "Notify me" panel: list, add, remove.
import { z } from "zod";
import { followByMail, listMailFollows, sentWishShape } from "#domain/notifications/follow-by-mail.ts";
import { unfollow } from "#domain/notifications/follows.ts";
import type { FollowsAnswer, PushRefusal } from "#shared/push.ts";
import { appContext } from "#web/context.ts";
import { requireMember } from "#web/guards.ts";
import type { RouteFacts } from "#web/pages/route-facts.ts";
import { ofAccount } from "#web/request/rate-limits.ts";
import type { Route } from "./+types/mail";

export const handle: RouteFacts = { kept: false, robots: false };

const STATUS = { unreadable: 422, not_allowed: 403, not_found: 404, too_many: 409, often: 429 } as const;

const refuse = (error: keyof typeof STATUS & PushRefusal, headers?: HeadersInit) =>
  answer({ error }, { status: STATUS[error], ...(headers && { headers }) });

function answer(said: FollowsAnswer, init: ResponseInit = {}): Response {
  const headers = new Headers(init.headers);
  headers.set("Cache-Control", "no-store");
  return Response.json(said, { ...init, headers });
}

export async function loader({ context, url }: Route.LoaderArgs) {
  const member = requireMember({ context, url });
  return answer({ follows: await shownFollows(context.get(appContext).db, member.user_id) });
}

export async function action({ context, request, url }: Route.ActionArgs) {
  const member = requireMember({ context, url });
  const { db, limits } = context.get(appContext);
  const form = await request.formData().catch(() => new FormData());
  const wait = await limits.consume([ofAccount("follow", member.user_id, { tries: 120, seconds: 3600 })]);
  if (wait !== null) return refuse("often", { "Retry-After": String(wait) });
  if (form.get("intent") === "end") {
    const followId = z.uuid().safeParse(form.get("follow_id"));
    if (!followId.success) return refuse("unreadable");
    await unfollow(db, { user_id: member.user_id }, followId.data);
  } else {
    const wish = sentWishShape.safeParse(Object.fromEntries(form));
    if (!wish.success) return refuse("unreadable");
    if (!member.email_verified) return refuse("not_allowed");
    const outcome = await followByMail(db, member, wish.data);
    if (!outcome.ok) return refuse(outcome.reason === "not_followable" ? "unreadable" : outcome.reason);
  }
  return answer({ follows: await shownFollows(db, member.user_id) });
}

async function shownFollows(db: Parameters<typeof listMailFollows>[0], userId: string) {
  return (await listMailFollows(db, userId)).map(
    ({ follow_id, kind, threshold, server_id, game_id, server_name, game_name }) => ({
      follow_id,
      kind,
      threshold,
      server_id,
      game_id,
      name: server_name ?? game_name,
    }),
  );
}
