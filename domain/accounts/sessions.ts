// Begins and ends sessions; finds the logged-in member for a cookie's token in one statement; lists a member's devices.
import { createHash, randomBytes } from "node:crypto";
import { and, desc, eq, lt, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { isDatabaseAway } from "#db/database-away.ts";
import { profiles, programSessions, roles, sessions, users } from "#db/schema/index.ts";
import type { Role } from "../members/roles.ts";
import type { Origin } from "../site/audit.ts";
import { isActiveMember, isBanned } from "./active-members.ts";

export const IDLE_END_S = 7 * 24 * 3600;
export const ABSOLUTE_END_S = 30 * 24 * 3600;
/** Actions that could cost the account require the password again once the last login is older than this. */
export const FRESH_S = 15 * 60;
/** A session's last use is written at most this often. */
const TOUCH_AFTER_S = 5 * 60;

/** A logged-in user, with the fields that pages need. */
export type Member = {
  user_id: string;
  email: string;
  email_verified: boolean;
  role: Role;
  user_nick_name: string;
  avatar_url: string | null;
  locale: "en" | "de";
  theme: "dark" | "light";
  session_id: string;
  /** True if a second factor is on. */
  two_factor: boolean;
  /** True if they authenticated recently. */
  fresh: boolean;
};

/** Hash stored in place of a token. */
export const hashToken = (token: string): string => createHash("sha256").update(token).digest("hex");

/**
 * Begins a session; null: the account is closed or banned. The token is for the cookie alone: only its hash is stored. One
 * statement, as every login waits for it.
 */
export async function createSession(
  db: Db,
  userId: string,
  { ip, user_agent }: Origin,
): Promise<{ session_id: string; token: string } | null> {
  const token = randomBytes(32).toString("base64url");
  const {
    rows: [made],
  } = await db.execute<{ session_id: string }>(sql`
    insert into sessions (user_id, token_hash, expires_at, ip, user_agent)
    select user_id, ${hashToken(token)}, now() + make_interval(secs => ${IDLE_END_S}), ${ip}, ${user_agent}
    from users
    where user_id = ${userId} and ${isActiveMember()}
    returning session_id`);
  return made ? { session_id: made.session_id, token } : null;
}

/** Finds why an account gets no session; null: it gets one. */
export async function findSessionRefusal(db: Db, userId: string): Promise<"banned" | "closed" | null> {
  const [found] = await db
    .select({ banned: isBanned(), active: isActiveMember(), deactivated_at: users.deactivated_at })
    .from(users)
    .where(eq(users.id, userId));
  if (found?.active) return null;
  return found?.banned && !found.deactivated_at ? "banned" : "closed";
}

/** Prepared once per database: it runs on every page of a member, and building it took a third of that page's work. */
const memberStatements = new WeakMap<Db, ReturnType<typeof prepareMemberStatement>>();

function prepareMemberStatement(db: Db) {
  return db
    .select({
      user_id: users.id,
      email: users.email,
      email_verified: users.emailVerified,
      role: roles.role,
      user_nick_name: profiles.user_nick_name,
      avatar_url: profiles.avatar_url,
      locale: profiles.locale,
      theme: profiles.theme,
      session_id: sessions.id,
      two_factor: users.twoFactorEnabled,
      // By the database's clock, which wrote both; this machine's may be wrong.
      fresh: sql<boolean>`${sessions.createdAt} > now() - make_interval(secs => ${FRESH_S})`,
      touch_due: sql<boolean>`${sessions.updatedAt} < now() - make_interval(secs => ${TOUCH_AFTER_S})`,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .innerJoin(profiles, eq(profiles.user_id, users.id))
    .innerJoin(roles, eq(roles.user_id, users.id))
    .where(
      and(
        eq(sessions.token, sql.placeholder("token")),
        sql`least(${sessions.expiresAt}, ${sessions.ends_at}) > now()`,
        isActiveMember(),
      ),
    )
    .prepare("member_by_token");
}

/**
 * Finds the member for a session token; null if it is unknown or has ended, or the user is banned or the account closed. Sometimes
 * records the session's use, which moves its idle end.
 */
export async function findMemberByToken(db: Db, token: string): Promise<Member | null> {
  let statement = memberStatements.get(db);
  if (!statement) {
    statement = prepareMemberStatement(db);
    memberStatements.set(db, statement);
  }
  const [found] = await statement.execute({ token: hashToken(token) });
  if (!found) return null;
  const { touch_due, ...member } = found;
  return touch_due && !(await touchSession(db, member.session_id).catch(unlessAway)) ? null : member;
}

/** A database that is read-only or becomes unavailable must not end a session. */
function unlessAway(error: unknown): true {
  if (isDatabaseAway(error)) return true;
  throw error;
}

/** False: the session has ended since it was found, perhaps while this waited for its lock. */
async function touchSession(db: Db, sessionId: string): Promise<boolean> {
  const touched = await db
    .update(sessions)
    .set({
      updatedAt: sql`now()`,
      expiresAt: sql`least(now() + make_interval(secs => ${IDLE_END_S}), ${sessions.ends_at})`,
    })
    .where(eq(sessions.id, sessionId))
    .returning({ id: sessions.id });
  return touched.length > 0;
}

export type SessionInList = {
  session_id: string;
  ip: string | null;
  user_agent: string | null;
  /** The session's program; null: a browser's. */
  program: string | null;
  signed_in_at: Date;
  last_used_at: Date;
};

/** Lists a member's active sessions, last used first. */
export async function listSessions(db: Db, userId: string): Promise<SessionInList[]> {
  return db
    .select({
      session_id: sessions.id,
      ip: sessions.ipAddress,
      user_agent: sessions.userAgent,
      program: programSessions.program,
      signed_in_at: sessions.createdAt,
      last_used_at: sessions.updatedAt,
    })
    .from(sessions)
    .leftJoin(programSessions, eq(programSessions.session_id, sessions.id))
    .where(and(eq(sessions.userId, userId), sql`least(${sessions.expiresAt}, ${sessions.ends_at}) > now()`))
    .orderBy(desc(sessions.updatedAt));
}

/** Ends a session if it belongs to this member. False: there was none. */
export async function removeSession(db: Db, userId: string, sessionId: string): Promise<boolean> {
  const removed = await db
    .delete(sessions)
    .where(and(sql`${sessions.id}::text = ${sessionId}`, eq(sessions.userId, userId)))
    .returning({ id: sessions.id });
  return removed.length > 0;
}

/** Ends the session of a cookie's token. */
export async function removeSessionByToken(db: Db, token: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.token, hashToken(token)));
}

/** Removes ended sessions. */
export async function sweepSessions(db: Db): Promise<void> {
  await db.delete(sessions).where(lt(sql`least(${sessions.expiresAt}, ${sessions.ends_at})`, sql`now()`));
}
