// Unsubscribes through a mail's link without login: the site seals the link, so that no client can end other people's mails, and it
// works as long as the mail exists.
import { createHmac, timingSafeEqual } from "node:crypto";
import { and, eq, isNull, or, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "#db/client.ts";
import { follows, gameserver, notificationPreferences, notificationTargets } from "#db/schema/index.ts";
import { FOLLOW_KINDS } from "#shared/push.ts";
import { follow } from "./follows.ts";
import { syncWatches } from "./watches.ts";

/**
 * The scope of a link: mails of one kind about one game server or game (neither: about the site), or with `digest` all of a
 * member's mails about follows.
 */
const endShape = z.union([
  z.strictObject({
    target_id: z.uuid(),
    kind: z.enum(FOLLOW_KINDS),
    server_id: z.int().min(1).nullable(),
    game_id: z.int().min(1).nullable(),
  }),
  z.strictObject({ target_id: z.uuid(), digest: z.literal(true) }),
]);
export type MailEnd = z.infer<typeof endShape>;

/** The ended follows, for `beginMailsAgain` to restore. */
const endedShape = z.strictObject({
  target_id: z.uuid(),
  mails_off: z.boolean(),
  follows: z.array(
    z.strictObject({
      kind: z.enum(FOLLOW_KINDS),
      server_id: z.int().nullable(),
      game_id: z.int().nullable(),
      threshold: z.int().nullable(),
    }),
  ),
});
export type MailEnded = z.infer<typeof endedShape>;

const macOf = (secret: string, text: string) => createHmac("sha256", secret).update(`ends mails ${text}`).digest();

/** Encodes it for a link: some 250 characters that need no escape in a URL. */
export function sealEnd(secret: string, what: MailEnd | MailEnded): string {
  const text = Buffer.from(JSON.stringify(what)).toString("base64url");
  return `${text}.${macOf(secret, text).toString("base64url")}`;
}

function openText(secret: string, token: string): unknown {
  const [text = "", mac = ""] = token.split(".");
  const given = Buffer.from(mac, "base64url");
  const right = macOf(secret, text);
  if (given.length !== right.length || !timingSafeEqual(given, right)) return null;
  return JSON.parse(Buffer.from(text, "base64url").toString());
}

/** Null: not sealed by this site, or sealed with another secret. */
export const openEnd = (secret: string, token: string): MailEnd | null =>
  endShape.safeParse(openText(secret, token)).data ?? null;

export const openEnded = (secret: string, token: string): MailEnded | null =>
  endedShape.safeParse(openText(secret, token)).data ?? null;

/** Ends every follow behind such a mail: of the game server, its game, or the site. Repeating it does nothing. */
export function endMails(db: Db, end: MailEnd): Promise<MailEnded> {
  return db.transaction(async (tx) => {
    const [target] = await tx
      .select({ user_id: notificationTargets.user_id })
      .from(notificationTargets)
      .where(eq(notificationTargets.target_id, end.target_id))
      .for("update");
    const nothing: MailEnded = { target_id: end.target_id, mails_off: false, follows: [] };
    if (!target) return nothing;
    if ("digest" in end) {
      if (target.user_id === null) return nothing;
      const changed = await tx
        .insert(notificationPreferences)
        .values({ user_id: target.user_id, mail_on: false })
        .onConflictDoUpdate({
          target: notificationPreferences.user_id,
          set: { mail_on: false },
          setWhere: eq(notificationPreferences.mail_on, true),
        })
        .returning({ user_id: notificationPreferences.user_id });
      return { ...nothing, mails_off: changed.length === 1 };
    }
    const ended = await tx
      .delete(follows)
      .where(and(eq(follows.target_id, end.target_id), eq(follows.kind, end.kind), bringsMailsOf(end)))
      .returning({
        kind: follows.kind,
        server_id: follows.server_id,
        game_id: follows.game_id,
        threshold: follows.threshold,
      });
    for (const { server_id, game_id } of ended) await syncWatches(tx, { server_id, game_id });
    return { ...nothing, follows: ended };
  });
}

/** Selects follows that cause these mails, as the fan-out finds an event's followers. */
function bringsMailsOf({ server_id, game_id }: Extract<MailEnd, { kind: unknown }>): SQL | undefined {
  const ofSite = and(isNull(follows.server_id), isNull(follows.game_id));
  const { server_id: server, game_id: game } = gameserver;
  if (server_id !== null) {
    return or(
      ofSite,
      eq(follows.server_id, server_id),
      sql`${follows.game_id} = (select ${game} from ${gameserver} where ${server} = ${server_id})`,
    );
  }
  if (game_id === null) return undefined;
  return or(
    ofSite,
    eq(follows.game_id, game_id),
    sql`${follows.server_id} in (select ${server} from ${gameserver} where ${game} = ${game_id})`,
  );
}

/** Restores what was ended, as far as it may still be followed. */
export async function beginMailsAgain(db: Db, { target_id, mails_off, follows: taken }: MailEnded): Promise<void> {
  for (const wish of taken) await follow(db, target_id, wish);
  if (!mails_off) return;
  const owner = db
    .select({ user_id: notificationTargets.user_id })
    .from(notificationTargets)
    .where(eq(notificationTargets.target_id, target_id));
  await db
    .update(notificationPreferences)
    .set({ mail_on: true })
    .where(sql`${notificationPreferences.user_id} in (${owner})`);
}
