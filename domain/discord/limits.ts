// Stores Discord's rate limits from its replies in Postgres, so that all processes of the site share them.
import { and, eq, lt, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { discordLimits } from "#db/schema/index.ts";
import type { DiscordReply } from "#outside/discord.ts";

/** A request type of a webhook; Discord limits some alone and some together. */
export type DiscordRoute = "post" | "edit" | "remove" | "look";

/** Longer than any request takes: until a reply says how much is left, no other request is sent. */
const UNANSWERED_S = 15;

type Row = {
  route: string | null;
  bucket: string | null;
  most: number | null;
  remaining: number;
  /** Seconds until the window ends; zero or less: it has ended. */
  left_s: number;
};

/**
 * Takes one request from the limit. Null: send it, then call `noteReply`. Otherwise: the seconds during which nothing may be
 * sent.
 */
export async function takeRequest(db: Db, webhookId: string, route: DiscordRoute): Promise<number | null> {
  return db.transaction(async (tx) => {
    await tx.insert(discordLimits).values({ webhook_id: webhookId, route }).onConflictDoNothing();
    const {
      rows: [all],
    } = await tx.execute<{ left_s: number }>(sql`
      select extract(epoch from resets_at - now())::float8 as left_s from discord_limits where webhook_id is null`);
    if (all && all.left_s > 0) return all.left_s;
    const { rows } = await tx.execute<Row>(sql`
      select route, bucket, most, remaining, extract(epoch from resets_at - now())::float8 as left_s
      from discord_limits where webhook_id = ${webhookId} order by route for update`);
    const own = rows.find((row) => row.route === route);
    const shared = rows.filter((row) => row === own || (row.bucket !== null && row.bucket === own?.bucket));
    const waits = shared.filter(({ remaining, left_s }) => left_s > 0 && remaining <= 0).map(({ left_s }) => left_s);
    if (waits.length > 0) return Math.max(...waits);
    await tx.execute(sql`
      update discord_limits set
        remaining = case when resets_at > now() then remaining else coalesce(most, 1) end - 1,
        resets_at = case when resets_at > now() then resets_at else now() + ${UNANSWERED_S} * interval '1 second' end
      where webhook_id = ${webhookId} and route = any(${sql.param(shared.map((row) => row.route))}::text[])`);
    return null;
  });
}

/** Stores the limit from a reply. */
export async function noteReply(db: Db, webhookId: string, route: DiscordRoute, reply: DiscordReply): Promise<void> {
  const { limits } = reply;
  if (limits) {
    // The reply doesn't count requests that other processes took meanwhile, so the smaller figure wins.
    await db.execute(sql`
      update discord_limits set bucket = case when route = ${route} then ${limits.bucket} else bucket end, most = ${limits.most}::int,
        remaining = case when most is null or resets_at <= now() then ${limits.remaining}::int
          else least(remaining, ${limits.remaining}::int) end,
        resets_at = now() + ${limits.resetAfterS}::float8 * interval '1 second'
      where webhook_id = ${webhookId} and (route = ${route} or bucket = ${limits.bucket})`);
  }
  if (reply.outcome !== "limited") return;
  if (!limits) {
    // The request was refused before the webhook's own limit applied.
    await db
      .update(discordLimits)
      .set({ remaining: sql`coalesce(${discordLimits.most}, 1)`, resets_at: sql`now()` })
      .where(and(eq(discordLimits.webhook_id, webhookId), eq(discordLimits.route, route)));
  }
  const pause = sql`now() + ${reply.afterS}::float8 * interval '1 second'`;
  const whose = reply.scope === "all" ? null : { id: webhookId, route };
  await db
    .insert(discordLimits)
    .values({ webhook_id: whose?.id ?? null, route: whose?.route ?? null, remaining: 0, resets_at: pause })
    .onConflictDoUpdate({
      target: [discordLimits.webhook_id, discordLimits.route],
      set: { remaining: 0, resets_at: sql`greatest(${discordLimits.resets_at}, ${pause})` },
    });
}

/** Removes limits that ended more than a day ago. */
export async function removeOldLimits(db: Db): Promise<void> {
  await db.delete(discordLimits).where(lt(discordLimits.resets_at, sql`now() - interval '1 day'`));
}
