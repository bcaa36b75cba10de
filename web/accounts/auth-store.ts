// Stores the account library's rows: its own Drizzle store over the site's tables, with four guarantees added. A session's
// token is stored as a hash; a closed account gets no session; a user always has a profile and role; and its owner is
// notified of each new sign-in method.
import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";
import type { BetterAuthOptions } from "better-auth";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { APIError } from "better-auth/api";
import { and, eq, lt, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { accounts, passkeys, sessions, twoFactors, users, verifications } from "#db/schema/index.ts";
import { isActiveMember, isBanned } from "#domain/members/active-members.ts";
import { createBelongings, findUser, lockUser } from "#domain/members/users.ts";
import { tellSecurityChange } from "#domain/sign-in/security-mails.ts";
import { findMemberByToken, hashToken, IDLE_END_S } from "#domain/sign-in/sessions.ts";
import { type Origin, recordAudit } from "#domain/site/audit.ts";
import { readSiteSettings } from "#domain/site/settings.ts";

const TABLES = {
  user: users,
  session: sessions,
  account: accounts,
  verification: verifications,
  twoFactor: twoFactors,
  passkey: passkeys,
};

type MakeStore = ReturnType<typeof drizzleAdapter>;
type Store = ReturnType<MakeStore>;
type Query = { model: string; where?: { field: string; value: unknown }[] | undefined };

/** `token`: of the request's session, where it matters. */
type Asking = Origin & { token?: string | null };
const visits = new AsyncLocalStorage<Asking>();

/** Runs calls of the library on behalf of a request, so that its new rows record the origin. */
export const withVisit = <T>(visit: Asking, work: () => Promise<T>): Promise<T> => visits.run(visit, work);

/** Makes the store for the library's `database` option. */
export function authStore(db: Db): MakeStore {
  return (options: BetterAuthOptions): Store => storeOver(db, options);
}

function storeOver(db: Db, options: BetterAuthOptions): Store {
  const plain = drizzleAdapter(db, { provider: "pg", schema: TABLES })(options);
  const create: Store["create"] = async (input) => {
    if (input.model === "session") return createSession(db, input);
    if (input.model === "passkey" || input.model === "account") return createWayIn(db, options, input);
    if (input.model !== "user") return plain.create(input);
    // A sign-up through another site has no field for an invitation.
    const { registration } = await readSiteSettings(db);
    if (registration !== "open") throw new APIError("FORBIDDEN", { code: "SIGN_UPS_CLOSED" });
    return db.transaction(async (tx) => {
      const user = await storeWithin(tx, options).create<typeof input.data, never>(input);
      await createBelongings(tx, String((user as { id: string }).id), "en");
      return user;
    });
  };
  return {
    ...plain,
    create,
    findOne: async (input) => withToken(await plain.findOne(byHash(input)), input),
    findMany: (input) => plain.findMany(byHash(input)),
    count: (input) => plain.count(byHash(input)),
    update: async (input) => withToken(await plain.update(byHash(input)), input),
    updateMany: (input) => plain.updateMany(byHash(input)),
    delete: (input) => plain.delete(byHash(input)),
    deleteMany: (input) => plain.deleteMany(byHash(input)),
    consumeOne: async (input) => withToken(await plain.consumeOne(byHash(input)), input),
    transaction: (work) => db.transaction((tx) => work(storeOver(tx, options))),
  };
}

/** Creates a passkey, or a link to another site, with its audit row and notification in one transaction. */
async function createWayIn<T extends Record<string, unknown>, R = T>(
  db: Db,
  options: BetterAuthOptions,
  input: Parameters<Store["create"]>[0] & { data: Omit<T, "id"> },
): Promise<R> {
  const origin = visits.getStore() ?? null;
  return db.transaction(async (tx) => {
    const userId = String(Reflect.get(input.data, "userId"));
    const link = input.model === "account" && (await isOlder(tx, userId));
    if (link) await requireOwnSession(tx, userId, origin);
    const made = await storeWithin(tx, options).create<T, R>(input);
    if (input.model === "passkey") {
      await recordAudit(tx, { what: "passkey-added", actor_id: userId, ...(origin ? { origin } : {}) });
      await tellSecurityChange(tx, { user_id: userId, what: "passkey-added", origin });
    } else if (link) {
      await recordAudit(tx, { what: "discord-linked", actor_id: userId, ...(origin ? { origin } : {}) });
      await tellSecurityChange(tx, { user_id: userId, what: "discord-linked", origin });
    }
    return made;
  });
}

/**
 * Requires that the member is still signed in on return from Discord: a sign-out or new password meanwhile cancels the link.
 * Locks the account first, as a reset does, so that they run one after the other.
 */
async function requireOwnSession(tx: Db, userId: string, asking: Asking | null): Promise<void> {
  await lockUser(tx, userId);
  const member = asking?.token ? await findMemberByToken(tx, asking.token) : null;
  if (member?.user_id !== userId) throw new APIError("FORBIDDEN", { code: "NOT_SIGNED_IN" });
}

/** Checks whether an account is older than a minute: a new one has no owner to notify yet. */
async function isOlder(tx: Db, userId: string): Promise<boolean> {
  const found = await tx.$count(
    users,
    and(eq(users.id, userId), lt(users.createdAt, sql`now() - interval '1 minute'`)),
  );
  return found > 0;
}

const storeWithin = (tx: Db, options: BetterAuthOptions) =>
  drizzleAdapter(tx, { provider: "pg", schema: TABLES })(options);

/** Creates a session. Only the library gets the token, for the cookie; only its hash is stored. */
async function createSession<T extends Record<string, unknown>, R = T>(
  db: Db,
  input: { model: string; data: Omit<T, "id">; forceAllowId?: boolean | undefined },
): Promise<R> {
  const given: unknown = input.data;
  const { userId, ipAddress, userAgent } = given as { userId: string; ipAddress?: string; userAgent?: string };
  const token = randomBytes(32).toString("base64url");
  // One statement, which inserts only for an open account: every sign-in waits for it.
  const {
    rows: [made],
  } = await db.execute<{ id: string; created_at: string; expires_at: string }>(sql`
    insert into sessions (user_id, token_hash, expires_at, ip, user_agent)
    select user_id, ${hashToken(token)}, now() + make_interval(secs => ${IDLE_END_S}), ${ipAddress ?? null}, ${userAgent ?? null}
    from users
    where user_id = ${userId} and ${isActiveMember()}
    returning session_id as id, created_at, expires_at`);
  if (!made) {
    const [[banned], user] = await Promise.all([
      db
        .select({ id: users.id })
        .from(users)
        .where(and(eq(users.id, userId), isBanned())),
      findUser(db, userId),
    ]);
    throw new APIError("FORBIDDEN", { code: banned && !user?.deactivated_at ? "ACCOUNT_BANNED" : "ACCOUNT_CLOSED" });
  }
  const createdAt = new Date(made.created_at);
  return {
    ...input.data,
    id: made.id,
    token,
    createdAt,
    updatedAt: createdAt,
    expiresAt: new Date(made.expires_at),
  } as R;
}

/** Replaces a session's token by its hash in a query. */
function byHash<Q extends Query>(query: Q): Q {
  if (query.model !== "session" || !query.where) return query;
  const where = query.where.map((part) =>
    part.field !== "token"
      ? part
      : {
          ...part,
          value: Array.isArray(part.value)
            ? part.value.map((v) => hashToken(String(v)))
            : hashToken(String(part.value)),
        },
  );
  return { ...query, where };
}

/** Adds the token to a session that was queried by it, as the library expects. */
function withToken<R>(row: R, query: Query): R {
  const asked = query.model === "session" ? query.where?.find((part) => part.field === "token") : undefined;
  return row !== null && typeof row === "object" && typeof asked?.value === "string"
    ? { ...row, token: asked.value }
    : row;
}
