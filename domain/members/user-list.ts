// Users as admins see them: the list, and one user with the account's data.
import { and, asc, count, desc, eq, inArray, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { auditEvents, contacts, passkeys, profiles, roles, sessions, users } from "#db/schema/index.ts";
import { isBanned } from "../accounts/active-members.ts";
import { contains, type ListPage, type ListQuery, readPage } from "../paging.ts";
import type { Role } from "./roles.ts";

export const USER_SORTS = ["user_nick_name", "email", "created_at"] as const;
type UserSort = (typeof USER_SORTS)[number];

/** Narrows the list to a role or to banned users. */
export const USER_FILTERS = ["admin", "moderator", "user", "banned"] as const;
export type UserFilter = (typeof USER_FILTERS)[number];

/** A current ban; `until` is ISO 8601, null: permanent. */
export type Ban = { reason: string; until: string | null };

export type UserRow = {
  user_id: string;
  user_nick_name: string;
  email: string;
  email_verified: boolean;
  role: Role;
  banned: boolean;
  deactivated: boolean;
  created_at: string;
};

/** From this many matches on, sorting is slower than scanning in order. */
const MANY = 10_000;

const banned = isBanned();

/** Reads one page of users, searched by name and address. */
export async function listUsers(
  db: Db,
  query: ListQuery<UserSort>,
  filter: UserFilter | null,
): Promise<ListPage<UserRow, UserSort>> {
  const search = query.q ? await findBy(db, query.q) : null;
  const found = and(
    search?.found,
    filter === "banned"
      ? banned
      : filter
        ? inArray(users.id, db.select({ user_id: roles.user_id }).from(roles).where(eq(roles.role, filter)))
        : undefined,
  );
  const columns: Record<UserSort, SQL> = {
    // Never null, so that an index gives the order.
    user_nick_name: query.descending
      ? sql`lower(${profiles.user_nick_name}) desc`
      : sql`lower(${profiles.user_nick_name})`,
    email: query.descending ? desc(users.email) : asc(users.email),
    created_at: query.descending
      ? sql`${users.createdAt} desc, ${users.id} desc`
      : sql`${users.createdAt}, ${users.id}`,
  };
  // Join the displayed columns only for the users of the page.
  const matching = () => {
    const all = db.select({ user_id: users.id }).from(users).$dynamic();
    const named = query.sort === "user_nick_name" || search?.common;
    return (named ? all.innerJoin(profiles, eq(profiles.user_id, users.id)) : all).where(found);
  };
  return readPage(
    query,
    async (most) => {
      const [row] = await db.select({ rows: count() }).from(matching().limit(most).as("some"));
      return row?.rows ?? 0;
    },
    async (limit, offset) => {
      const ids = await matching().orderBy(columns[query.sort]).limit(limit).offset(offset);
      if (ids.length === 0) return [];
      const rows = await db
        .select({
          user_id: users.id,
          user_nick_name: profiles.user_nick_name,
          email: users.email,
          email_verified: users.emailVerified,
          role: roles.role,
          banned,
          deactivated: sql<boolean>`${users.deactivated_at} is not null`,
          created_at: users.createdAt,
        })
        .from(users)
        .innerJoin(profiles, eq(profiles.user_id, users.id))
        .innerJoin(roles, eq(roles.user_id, users.id))
        .where(
          inArray(
            users.id,
            ids.map(({ user_id }) => user_id),
          ),
        )
        .orderBy(columns[query.sort]);
      return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
    },
  );
}

/**
 * Builds the condition for users by part of a name or address. Rare texts are looked up per table, so that each can use its
 * index; common ones ("@example.org") are filtered while scanning the list.
 */
async function findBy(db: Db, text: string): Promise<{ found: SQL | undefined; common: boolean }> {
  const byEmail = contains(users.email, text);
  const byName = contains(profiles.user_nick_name, text);
  const either = sql`select ${users.id} from ${users} where ${byEmail}
    union all select ${profiles.user_id} from ${profiles} where ${byName}`;
  const [row] = await db.select({ rows: count() }).from(sql`(${either} limit ${MANY}) as finds`);
  const common = row?.rows === MANY;
  return { found: common ? or(byEmail, byName) : sql`${users.id} in (${either})`, common };
}

/** True for the text of a user id; the URL may contain anything. */
const isUserId = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** One user; null when there is none. */
export async function findUserDetails(db: Db, userId: string) {
  if (!isUserId(userId)) return null;
  const [found] = await db
    .select({
      user_id: users.id,
      email: users.email,
      email_verified: users.emailVerified,
      two_factor: users.twoFactorEnabled,
      user_nick_name: profiles.user_nick_name,
      avatar_url: profiles.avatar_url,
      role: roles.role,
      created_at: users.createdAt,
      deactivated_at: users.deactivated_at,
      erase_after: users.erase_after,
      banned,
      ban_reason: users.ban_reason,
      // A permanent ban has no date.
      ban_until: sql<Date | null>`nullif(${users.banned_until}, 'infinity')`.mapWith(users.banned_until),
    })
    .from(users)
    .innerJoin(profiles, eq(profiles.user_id, users.id))
    .innerJoin(roles, eq(roles.user_id, users.id))
    .where(eq(users.id, userId));
  if (!found) return null;
  const { created_at, deactivated_at, erase_after, banned: isBanned, ban_reason, ban_until, ...user } = found;
  const ban: Ban | null = isBanned ? { reason: ban_reason ?? "", until: ban_until?.toISOString() ?? null } : null;
  return {
    ...user,
    created_at: created_at.toISOString(),
    deactivated_at: deactivated_at?.toISOString() ?? null,
    erase_after: erase_after?.toISOString() ?? null,
    ban,
  };
}

/** Finds a user's current ban; null: there is none. */
export async function findBan(db: Db, userId: string): Promise<Ban | null> {
  return (await findUserDetails(db, userId))?.ban ?? null;
}

/** Counts what is deleted with an account. */
export async function countUserData(db: Db, user: { user_id: string; email: string }) {
  const [devices, keys, messages, acts] = await Promise.all([
    db.$count(sessions, eq(sessions.userId, user.user_id)),
    db.$count(passkeys, eq(passkeys.userId, user.user_id)),
    db.$count(contacts, sql`lower(${contacts.email}) = ${user.email}`),
    db.$count(auditEvents, eq(auditEvents.actor_id, user.user_id)),
  ]);
  return { devices, passkeys: keys, messages, acts };
}
