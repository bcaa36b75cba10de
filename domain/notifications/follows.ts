// Following: which target is notified of what. What the client may not see can't be followed, and looks as if it weren't there.
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { follows, games, gameserver, notificationTargets, users } from "#db/schema/index.ts";
import type { FollowKind } from "#shared/push.ts";
import { isActiveMember } from "../accounts/active-members.ts";
import { FOLLOWABLE } from "./event-kinds.ts";
import { syncWatches } from "./watches.ts";

/** Follows per target. */
const MOST_FOLLOWS = 30;
const MOST_PLAYERS = 100_000;

export type FollowWish = {
  /** At most one of the two; neither: the site. */
  server_id?: number | null;
  game_id?: number | null;
  kind: FollowKind;
  /** Only for `players_reached`: 1 to 100,000. */
  threshold?: number | null;
};

/**
 * `not_found`: no such game server or game, or not visible to the target's owner. `not_followable`: that kind doesn't exist for
 * this, or the threshold is invalid. `too_many`: the target has thirty follows already.
 */
export type NotFollowed = { ok: false; reason: "not_found" | "not_followable" | "too_many" };

/** Visibilities that a member, or any other client, can see. */
const visibleTo = (isMember: boolean): readonly ("public" | "members")[] =>
  isMember ? ["public", "members"] : ["public"];

/**
 * Who reads or changes the follows of a target: the member whose target it is, or a client that knows the target's secret part
 * only. What is for members needs the first, and an active account.
 */
export type FollowReader = "owner" | "stranger";

/** Adds a follow, or finds the existing one. */
export function follow(
  db: Db,
  targetId: string,
  wish: FollowWish,
  by: FollowReader = "owner",
): Promise<{ ok: true; follow_id: string } | NotFollowed> {
  const { server_id = null, game_id = null, kind, threshold = null } = wish;
  const about = server_id !== null ? "server" : game_id !== null ? "game" : "site";
  const fits =
    kind === "players_reached"
      ? Number.isInteger(threshold) && (threshold ?? 0) >= 1 && (threshold ?? 0) <= MOST_PLAYERS
      : threshold === null;
  if ((server_id !== null && game_id !== null) || !FOLLOWABLE[about].includes(kind) || !fits) {
    return Promise.resolve({ ok: false, reason: "not_followable" });
  }
  return db.transaction(async (tx) => {
    const [target] = await tx
      .select({ has_member: sql<boolean>`${users.id} is not null and ${isActiveMember()}` })
      .from(notificationTargets)
      .leftJoin(users, eq(users.id, notificationTargets.user_id))
      .where(eq(notificationTargets.target_id, targetId))
      .for("update", { of: notificationTargets });
    if (!target || !(await isThere(tx, { server_id, game_id }, by === "owner" && target.has_member))) {
      return { ok: false, reason: "not_found" };
    }
    const same = and(
      eq(follows.target_id, targetId),
      equals(follows.server_id, server_id),
      equals(follows.game_id, game_id),
      eq(follows.kind, kind),
      equals(follows.threshold, threshold),
    );
    const [there] = await tx.select({ follow_id: follows.follow_id }).from(follows).where(same);
    if (there) return { ok: true, follow_id: there.follow_id };
    if ((await tx.$count(follows, eq(follows.target_id, targetId))) >= MOST_FOLLOWS) {
      return { ok: false, reason: "too_many" };
    }
    const [made] = await tx
      .insert(follows)
      .values({ target_id: targetId, server_id, game_id, kind, threshold })
      .returning({ follow_id: follows.follow_id });
    if (!made) throw new Error("a follow was not written");
    if (kind === "seat_free" || kind === "players_reached") await syncWatches(tx, { server_id, game_id });
    return { ok: true, follow_id: made.follow_id };
  });
}

const equals = (
  column: typeof follows.server_id | typeof follows.game_id | typeof follows.threshold,
  value: number | null,
) => (value === null ? isNull(column) : eq(column, value));

async function isThere(
  db: Db,
  { server_id, game_id }: { server_id: number | null; game_id: number | null },
  isMember: boolean,
): Promise<boolean> {
  if (server_id === null && game_id === null) return true;
  const [row] =
    server_id !== null
      ? await db
          .select({ id: gameserver.server_id })
          .from(gameserver)
          .innerJoin(games, eq(games.game_id, gameserver.game_id))
          .where(and(eq(gameserver.server_id, server_id), eq(games.published, true), isVisible(isMember)))
      : await db
          .select({ id: games.game_id })
          .from(games)
          .where(and(eq(games.game_id, game_id ?? 0), eq(games.published, true)));
  return row !== undefined;
}

const isVisible = (isMember: boolean): SQL =>
  sql`${gameserver.visibility} = any(${sql.param([...visibleTo(isMember)])}::text[])`;

/** The owner of follows: one target, or all targets of a member. */
export type Whose = { target_id: string } | { user_id: string };

const isOf = (whose: Whose): SQL =>
  "target_id" in whose
    ? eq(notificationTargets.target_id, whose.target_id)
    : eq(notificationTargets.user_id, whose.user_id);

/** Lists follows, newest first. Names that the reader may not see (any more) are null; the follow can still be ended. */
export async function listFollows(db: Db, whose: Whose, reader: FollowReader = "owner") {
  const isMember = reader === "owner" ? sql`${users.id} is not null and ${isActiveMember()}` : sql`false`;
  const seen = sql`${games.published} and (${gameserver.server_id} is null or ${gameserver.visibility} = 'public'
    or (${gameserver.visibility} = 'members' and ${isMember}))`;
  const ofTheServer = sql`coalesce(${follows.game_id}, ${gameserver.game_id})`;
  return db
    .select({
      follow_id: follows.follow_id,
      target_id: follows.target_id,
      channel: notificationTargets.kind,
      kind: follows.kind,
      threshold: follows.threshold,
      server_id: follows.server_id,
      game_id: follows.game_id,
      server_name: sql<string | null>`case when ${seen} then ${gameserver.server_name} end`,
      game_name: sql<string | null>`case when ${seen} then ${games.game_name} end`,
      game_slug: sql<string | null>`case when ${seen} then ${games.game_slug} end`,
      created_at: follows.created_at,
    })
    .from(follows)
    .innerJoin(notificationTargets, eq(notificationTargets.target_id, follows.target_id))
    .leftJoin(users, eq(users.id, notificationTargets.user_id))
    .leftJoin(gameserver, eq(gameserver.server_id, follows.server_id))
    .leftJoin(games, sql`${games.game_id} = ${ofTheServer}`)
    .where(isOf(whose))
    .orderBy(sql`${follows.created_at} desc`, follows.follow_id);
}

/** Ends one follow of an owner, or all. Returns how many there were. */
export async function unfollow(db: Db, whose: Whose, followId: string | "all"): Promise<number> {
  const theirs = db.select({ target_id: notificationTargets.target_id }).from(notificationTargets).where(isOf(whose));
  const ended = await db
    .delete(follows)
    .where(
      and(sql`${follows.target_id} in (${theirs})`, followId === "all" ? undefined : eq(follows.follow_id, followId)),
    )
    .returning({ kind: follows.kind, server_id: follows.server_id, game_id: follows.game_id });
  const watched = ended.filter(({ kind }) => kind === "seat_free" || kind === "players_reached");
  for (const { server_id, game_id } of watched) await syncWatches(db, { server_id, game_id });
  return ended.length;
}
