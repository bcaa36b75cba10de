// Sessions of programs: a short-lived access token and a single-use refresh token. Reuse of an old refresh token means it leaked,
// so the session ends.
import { randomBytes } from "node:crypto";
import { and, desc, eq, gt, inArray, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { profiles, programSessions, roles, sessions, users } from "#db/schema/index.ts";
import type { Role } from "../members/roles.ts";
import { type Origin, recordAudit } from "../site/audit.ts";
import { isActiveMember } from "./active-members.ts";
import { FRESH_S, hashToken, IDLE_END_S } from "./sessions.ts";

export const ACCESS_S = 15 * 60;
export const PROGRAM_NAME_MAX = 60;
/** Program sessions per member: a script that logs in at each run and never logs out ends its own oldest ones. */
const MOST_SESSIONS = 20;

/** A session's tokens as sent to its program once; stored as hashes. */
export type ProgramTokens = { access_token: string; refresh_token: string; expires_at: Date };

/** The member that a program is logged in as. */
export type ProgramMember = {
  session_id: string;
  user_id: string;
  email: string;
  role: Role;
  user_nick_name: string;
  avatar_url: string | null;
  locale: "en" | "de";
  expires_at: Date;
  /** True if they authenticated recently. */
  fresh: boolean;
};

const random = () => randomBytes(32).toString("base64url");

/** `spr_<family>.<one use>`: all refresh tokens of a session share the family. */
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

/** Converts a newly created cookie session into a program's; the cookie's token becomes invalid. Null when the session is gone. */
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

/** Ends a member's least recently used program sessions beyond the limit of twenty. */
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
 * Exchanges a refresh token, single-use, for new tokens. An old one of the same session ends the session and is audited; returns
 * null then, and for any other text.
 */
export async function refreshProgramSession(db: Db, text: string, origin: Origin): Promise<ProgramTokens | null> {
  const family = readRefreshToken(text);
  if (family === null) return null;
  const { tokens, columns } = makeTokens(family);
  return db.transaction(async (tx) => {
    // Lock the session first; code that ends one does the same.
    const [row] = await tx
      .select({ session_id: sessions.id, user_id: sessions.userId })
      .from(sessions)
      .innerJoin(programSessions, eq(programSessions.session_id, sessions.id))
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(and(eq(programSessions.refresh_family_hash, hashToken(family)), isRunning))
      .for("update", { of: sessions });
    if (!row) return null;
    // If a token is used twice at once, the second use finds it replaced.
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

/** Finds the member for an access token; null if it is unknown or has ended, with its session or before. */
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
