// Lists and adds members' follows by mail; ends follows of any channel.
import { z } from "zod";
import type { Db } from "#db/client.ts";
import { FOLLOW_KINDS } from "#shared/push.ts";
import type { MailLocale } from "../mails.ts";
import { type FollowWish, follow, listFollows, type NotFollowed, unfollow } from "./follows.ts";
import type { MailEnded } from "./mail-ends.ts";
import { findPreferences, savePreferences } from "./preferences.ts";
import { registerMailbox } from "./targets.ts";

const id = z.coerce.number().int().min(1).max(2_147_483_647).optional();

/** A follow as a form sends it; `follow` checks whether it is allowed. */
export const sentWishShape = z.object({
  kind: z.enum(FOLLOW_KINDS),
  server_id: id,
  game_id: id,
  threshold: z.coerce.number().int().optional(),
});

type Follows = Awaited<ReturnType<typeof listFollows>>;

/** Lists a member's follows by mail, newest first. */
export const listMailFollows = async (db: Db, userId: string): Promise<Follows> =>
  (await listFollows(db, { user_id: userId })).filter(({ channel }) => channel === "mail");

/** Follows by mail; turns a member's mails on again if they were off, since this requests one. */
export async function followByMail(
  db: Db,
  member: { user_id: string; locale: MailLocale },
  wish: FollowWish,
): Promise<{ ok: true; follow_id: string } | NotFollowed> {
  const targetId = await registerMailbox(db, member.user_id, member.locale);
  const outcome = await follow(db, targetId, wish);
  if (!outcome.ok) return outcome;
  const preferences = await findPreferences(db, member.user_id);
  if (!preferences.mail_on) await savePreferences(db, member.user_id, { ...preferences, mail_on: true });
  return outcome;
}

/**
 * Ends one follow of a member, or all of one of their targets; ignores those of others. Returns what was ended, so that
 * `beginMailsAgain` can restore it.
 */
export async function endFollows(
  db: Db,
  userId: string,
  which: { follow_id: string } | { target_id: string },
): Promise<MailEnded | null> {
  const theirs = await listFollows(db, { user_id: userId });
  const ended = theirs.filter((one) =>
    "follow_id" in which ? one.follow_id === which.follow_id : one.target_id === which.target_id,
  );
  const [first] = ended;
  if (!first) return null;
  if ("follow_id" in which) await unfollow(db, { user_id: userId }, first.follow_id);
  else await unfollow(db, { target_id: first.target_id }, "all");
  return {
    target_id: first.target_id,
    mails_off: false,
    follows: ended.map(({ kind, server_id, game_id, threshold }) => ({ kind, server_id, game_id, threshold })),
  };
}
