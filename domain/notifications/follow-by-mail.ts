// What members follow by mail, and ending what they follow by any way.
import { z } from "zod";
import type { Db } from "#db/client.ts";
import { FOLLOW_KINDS } from "#shared/push.ts";
import type { MailLocale } from "../mails.ts";
import { type FollowWish, follow, listFollows, type NotFollowed, unfollow } from "./follows.ts";
import type { MailEnded } from "./mail-ends.ts";
import { findPreferences, savePreferences } from "./preferences.ts";
import { registerMailbox } from "./targets.ts";

const id = z.coerce.number().int().min(1).max(2_147_483_647).optional();

/** A wish as a form sends it; whether that may be followed at all is asked of `follow`. */
export const sentWishShape = z.object({
  kind: z.enum(FOLLOW_KINDS),
  server_id: id,
  game_id: id,
  threshold: z.coerce.number().int().optional(),
});

type Follows = Awaited<ReturnType<typeof listFollows>>;

/** What a member is told by mail, the newest first. */
export const listMailFollows = async (db: Db, userId: string): Promise<Follows> =>
  (await listFollows(db, { user_id: userId })).filter(({ channel }) => channel === "mail");

/** Tells a member by mail from now on; mails that they had turned off are on again, since they ask for one. */
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
 * Ends one follow of a member, or all of one of their targets; what is nobody's or somebody else's ends nothing.
 * Returns what was ended, by which `beginMailsAgain` brings it back.
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
