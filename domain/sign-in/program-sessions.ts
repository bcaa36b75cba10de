// Sessions of programs: a short-lived access token, and a refresh token that is good for one use. Who uses an old one again
// has it from somewhere else, so the session ends.
import { randomBytes } from "node:crypto";
import { and, desc, eq, gt, inArray, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { profiles, programSessions, roles, sessions, users } from "#db/schema/index.ts";
import { isActiveMember } from "../members/active-members.ts";
import type { Role } from "../members/roles.ts";
import { type Origin, recordAudit } from "../site/audit.ts";
import { FRESH_S, hashToken, IDLE_END_S } from "./sessions.ts";

export const ACCESS_S = 15 * 60;
export const PROGRAM_NAME_MAX = 60;
/** Sessions of one member's programs: a script that signs in at each run and never out ends its own oldest ones. */
const MOST_SESSIONS = 20;

/** The tokens of a session as its program gets them: told once, kept as hashes. */
export type ProgramTokens = { access_token: string; refresh_token: string; expires_at: Date };

/** Who a program is signed in as. */
export type ProgramMember = {
  session_id: string;
  user_id: string;
  email: string;
  role: Role;
  user_nick_name: string;
  avatar_url: string | null;
  locale: "en" | "de";
  expires_at: Date;
  /** Whether they proved who they are only a little while ago. */
  fresh: boolean;
};

const random = () => randomBytes(32).toString("base64url");

/** `spr_<family>.<one use>`: all refresh tokens of a session begin alike. */
const readRefreshToken = (text: string) => /^spr_(?<family>[\w-]{43})\.[\w-]{43}$/.exec(text)?.groups?.family ?? null;

function makeTokens(family: string) {
  const access_token = `spa_${random()}`;
  const refresh_token = `spr_${family}.${random()}`;
  return {
    tokens: { access_token, refresh_token },
    columns: {
      access_token_hash: hashToken(access_token),
      refresh_token_hash: hashToken(refresh_token),
      access_expires_at: sql`now() + make_interval(secs => ${ACCESS_S})`,
    },
  };
}

/**
 * Makes a session that has just begun in a cookie one of a program: the cookie's token is good for nothing from now on.
 * Null when the session is gone.
 */
export async function turnIntoProgramSession(
  db: Db,
  cookieToken: string,
  program: string,
): Promise<ProgramTokens | null> {
  return db.transaction(async (tx) => {
    const [session] = await tx
      .update(sessions)
      .set({ token: hashToken(random()) })
      .where(eq(sessions.token, hashToken(cookieToken)))
      .returning({ id: sessions.id, user_id: sessions.userId });
    if (!session) return null;
    const family = random();
    const { tokens, columns } = makeTokens(family);
    const [made] = await tx
      .insert(programSessions)
      .values({
        session_id: session.id,
        user_id: session.user_id,
        program,
        refresh_family_hash: hashToken(family),
        ...columns,
      })
      .returning({ expires_at: programSessions.access_expires_at });
    await endOldest(tx, session.user_id);
    return made ? { ...tokens, expires_at: made.expires_at } : null;
  });
}

/** Ends those of a member's program sessions that were used longest ago, beyond the twenty that there may be. */
async function endOldest(tx: Db, userId: string): Promise<void> {
  const tooMany = tx
    .select({ id: sessions.id })
    .from(programSessions)
    .innerJoin(sessions, eq(sessions.id, programSessions.session_id))
    .where(eq(programSessions.user_id, userId))
    .orderBy(desc(sessions.updatedAt), desc(sessions.id))
    .offset(MOST_SESSIONS);
  await tx.delete(sessions).where(inArray(sessions.id, tooMany));
}

/**
 * New tokens for a refresh token, which is spent by that. An old one of the same session ends the session, and the audit
 * log tells; null then, and for any other text.
 */
export async function refreshProgramSession(db: Db, text: string, origin: Origin): Promise<ProgramTokens | null> {
  const family = readRefreshToken(text);
  if (family === null) return null;
  const { tokens, columns } = makeTokens(family);
  return db.transaction(async (tx) => {
    // The session first, as whoever ends it locks it first too.
    const [row] = await tx
      .select({ session_id: sessions.id, user_id: sessions.userId })
      .from(sessions)
      .innerJoin(programSessions, eq(programSessions.session_id, sessions.id))
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(and(eq(programSessions.refresh_family_hash, hashToken(family)), isRunning))
      .for("update", { of: sessions });
    if (!row) return null;
    // Of two who use the same token at the same moment, the second finds another one here.
    const [renewed] = await tx
      .update(programSessions)
      .set(columns)
      .where(
        and(eq(programSessions.session_id, row.session_id), eq(programSessions.refresh_token_hash, hashToken(text))),
      )
      .returning({ expires_at: programSessions.access_expires_at });
    if (!renewed) {
      await tx.delete(sessions).where(eq(sessions.id, row.session_id));
      await recordAudit(tx, {
        what: "session-ended",
        actor_id: row.user_id,
        origin,
        details: { reason: "refresh token used again" },
      });
      return null;
    }
    const idle = sql`least(now() + make_interval(secs => ${IDLE_END_S}), ${sessions.ends_at})`;
    await tx.update(sessions).set({ updatedAt: sql`now()`, expiresAt: idle }).where(eq(sessions.id, row.session_id));
    return { ...tokens, expires_at: renewed.expires_at };
  });
}

const isRunning = and(sql`least(${sessions.expiresAt}, ${sessions.ends_at}) > now()`, isActiveMember());

/** Whose access token this is; null for one that is unknown or has ended, with its session or before. */
export async function findMemberByAccessToken(db: Db, text: string): Promise<ProgramMember | null> {
  if (!/^spa_[\w-]{43}$/.test(text)) return null;
  const [found] = await db
    .select({
      session_id: programSessions.session_id,
      user_id: users.id,
      email: users.email,
      role: roles.role,
      user_nick_name: profiles.user_nick_name,
      avatar_url: profiles.avatar_url,
      locale: profiles.locale,
      expires_at: programSessions.access_expires_at,
      fresh: sql<boolean>`${sessions.createdAt} > now() - make_interval(secs => ${FRESH_S})`,
    })
    .from(programSessions)
    .innerJoin(sessions, eq(sessions.id, programSessions.session_id))
    .innerJoin(users, eq(users.id, programSessions.user_id))
    .innerJoin(profiles, eq(profiles.user_id, users.id))
    .innerJoin(roles, eq(roles.user_id, users.id))
    .where(
      and(
        eq(programSessions.access_token_hash, hashToken(text)),
        gt(programSessions.access_expires_at, sql`now()`),
        isRunning,
      ),
    );
  return found ?? null;
}
