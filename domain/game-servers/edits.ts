// Lets admins create, edit, order and remove game servers. Each change and its audit row are one transaction.
import { randomBytes } from "node:crypto";
import { and, asc, eq, isNotNull, max, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { games, gameserver, gameserverLiveMetrics, gameserverSample } from "#db/schema/index.ts";
import { isDangling, newRevision, revisionOf, type Saved } from "../edit-conflicts.ts";
import { type Actor, type AuditEvent, changesBetween, recordAudit } from "../site/audit.ts";
import {
  changedSecrets,
  type ForgottenSecret,
  forgottenSecrets,
  type GivenSecrets,
  type ToldSecrets,
} from "./adapter-secrets.ts";
import { type GameServerFields, gameServerColumnsOf, gameServerFieldsOf } from "./fields.ts";
import { hashHeartbeatToken } from "./heartbeats.ts";

const subject = (serverId: number) => ({ type: "gameserver", id: String(serverId) });
const by = ({ user_id, origin }: Actor) => ({ actor_id: user_id, origin });

/** Fields for the audit log, which gets whether a password is set; never the password. */
const untold = (fields: GameServerFields) => ({ ...fields, password: fields.password && "set" });

/** Input for the adapter's secrets, and the site's secret, which seals them. */
export type SecretsGiven = { given: GivenSecrets; siteSecret: string };

/** The changed secrets for the audit log. */
const toldSecrets = (told: ToldSecrets): Record<string, ToldSecrets> =>
  Object.keys(told).length > 0 ? { adapter_secrets: told } : {};

/** Changed fields for the audit log; null: none. */
function toldChanges(before: GameServerFields, after: GameServerFields) {
  const details = changesBetween(before, after);
  if (!details || !("password" in details.after)) return details;
  const { password: _, ...rest } = details.before;
  const became = after.password === "" ? "removed" : before.password === "" ? "set" : "changed";
  return { before: rest, after: { ...details.after, password: became } };
}

/** Finds a game server for the admin's pages; null when there is none. */
export async function findGameServerToEdit(db: Db, serverId: number) {
  const [found] = await db
    .select({ server: gameserver, revision: revisionOf(gameserver.updated_at) })
    .from(gameserver)
    .where(eq(gameserver.server_id, serverId));
  if (!found) return null;
  const { server, revision } = found;
  return {
    server_id: server.server_id,
    revision,
    form: gameServerFieldsOf(server),
    has_token: server.heartbeat_token_hash !== null,
    /** Sealed; pages get `shownSecrets` of them. */
    sealed: server.adapter_secrets,
    demo: server.demo,
  };
}

/** Creates a game server, last among those of its game. */
export async function createGameServer(
  db: Db,
  actor: Actor,
  fields: GameServerFields,
  secrets: SecretsGiven = { given: {}, siteSecret: "" },
): Promise<{ ok: true; server_id: number } | { ok: false; reason: "no_game" }> {
  try {
    return await db.transaction(async (tx) => {
      const [last] = await tx
        .select({ place: max(gameserver.sort_order) })
        .from(gameserver)
        .where(eq(gameserver.game_id, fields.game_id));
      const sealed = changedSecrets(secrets.siteSecret, fields.adapter, {
        kept: {},
        given: secrets.given,
        moved: false,
      });
      const [made] = await tx
        .insert(gameserver)
        .values({
          ...gameServerColumnsOf(fields),
          adapter_secrets: sealed.secrets,
          sort_order: (last?.place ?? -1) + 1,
        })
        .returning({ server_id: gameserver.server_id });
      if (!made) throw new Error("the game server was not inserted");
      await recordAudit(tx, {
        what: "gameserver-created",
        ...by(actor),
        subject: subject(made.server_id),
        details: { after: { ...untold(fields), ...toldSecrets(sealed.told) } },
      });
      return { ok: true as const, server_id: made.server_id };
    });
  } catch (error) {
    if (isDangling(error)) return { ok: false, reason: "no_game" };
    throw error;
  }
}

/**
 * Saves a game server unless another admin has saved it since `revision`. Keeps the adapter's secrets if none are given; removes
 * them on a change of host. With a new address a demo's simulated game server becomes a real one.
 */
export async function updateGameServer(
  db: Db,
  actor: Actor,
  serverId: number,
  revision: string,
  fields: GameServerFields,
  secrets: SecretsGiven = { given: {}, siteSecret: "" },
): Promise<(Saved<GameServerFields> & { forgotten?: ForgottenSecret[] }) | { ok: false; reason: "no_game" }> {
  try {
    return await db.transaction(async (tx) => {
      const [found] = await tx
        .select({ server: gameserver, revision: revisionOf(gameserver.updated_at) })
        .from(gameserver)
        .where(eq(gameserver.server_id, serverId))
        .for("update");
      if (!found) return { ok: false as const, reason: "gone" as const };
      const theirs = gameServerFieldsOf(found.server);
      const moved = fields.host !== theirs.host;
      const { adapter_secrets: kept } = found.server;
      const sealed = changedSecrets(secrets.siteSecret, fields.adapter, { kept, given: secrets.given, moved });
      const changes = toldChanges(theirs, fields);
      const isSealedAnew = Object.keys(sealed.told).length > 0;
      const details = isSealedAnew
        ? { before: changes?.before ?? {}, after: { ...changes?.after, ...toldSecrets(sealed.told) } }
        : changes;
      if (!details) return { ok: true as const, revision: found.revision };
      if (found.revision !== revision)
        return { ok: false as const, reason: "conflict" as const, revision: found.revision, theirs };
      const elsewhere = ["host", "game_port", "query_port", "adapter"].some((name) => name in details.after);
      const [saved] = await tx
        .update(gameserver)
        .set({
          ...gameServerColumnsOf(fields),
          adapter_secrets: sealed.secrets,
          ...(elsewhere ? { demo: false } : {}),
          updated_at: newRevision,
        })
        .where(eq(gameserver.server_id, serverId))
        .returning({ revision: revisionOf(gameserver.updated_at) });
      // The poll scheduled by the old interval would delay a shorter one. (A trigger polls a new address at once.)
      if ("poll_interval_s" in details.after || isSealedAnew) {
        await tx
          .update(gameserverLiveMetrics)
          .set({ next_poll_at: sql`now()` })
          .where(eq(gameserverLiveMetrics.server_id, serverId));
      }
      await recordAudit(tx, { what: "gameserver-updated", ...by(actor), subject: subject(serverId), details });
      const forgotten = forgottenSecrets(sealed.told, secrets.given, fields.adapter);
      return { ok: true as const, revision: saved?.revision ?? "", forgotten };
    });
  } catch (error) {
    if (isDangling(error)) return { ok: false, reason: "no_game" };
    throw error;
  }
}

/** Removes a game server and its history, after its exact name was typed. */
export async function removeGameServer(
  db: Db,
  actor: Actor,
  serverId: number,
  typedName: string,
): Promise<{ ok: true } | { ok: false; reason: "gone" | "not_confirmed" }> {
  return db.transaction(async (tx) => {
    const [server] = await tx.select().from(gameserver).where(eq(gameserver.server_id, serverId)).for("update");
    if (!server) return { ok: false, reason: "gone" };
    if (typedName.trim() !== server.server_name) return { ok: false, reason: "not_confirmed" };
    await tx.delete(gameserver).where(eq(gameserver.server_id, serverId));
    // Samples are many and have no foreign key: the index of their game server finds them.
    await tx.delete(gameserverSample).where(eq(gameserverSample.server_id, serverId));
    const details = { before: untold(gameServerFieldsOf(server)) };
    await recordAudit(tx, { what: "gameserver-removed", ...by(actor), subject: subject(serverId), details });
    return { ok: true };
  });
}

/**
 * Creates the token with which a game machine reports; the previous one becomes invalid. Returns it once; only its hash is stored.
 * Null when there is no such game server.
 */
export async function renewHeartbeatToken(db: Db, actor: Actor, serverId: number): Promise<string | null> {
  const token = randomBytes(32).toString("base64url");
  const done = await setTokenHash(db, serverId, hashHeartbeatToken(token), {
    what: "gameserver-token-made",
    ...by(actor),
    subject: subject(serverId),
  });
  return done ? token : null;
}

/** Removes the token. False: there is none. */
export function removeHeartbeatToken(db: Db, actor: Actor, serverId: number): Promise<boolean> {
  return setTokenHash(db, serverId, null, {
    what: "gameserver-token-removed",
    ...by(actor),
    subject: subject(serverId),
  });
}

async function setTokenHash(db: Db, serverId: number, hash: string | null, event: AuditEvent): Promise<boolean> {
  return db.transaction(async (tx) => {
    const had = hash === null ? isNotNull(gameserver.heartbeat_token_hash) : undefined;
    const changed = await tx
      .update(gameserver)
      .set({ heartbeat_token_hash: hash })
      .where(and(eq(gameserver.server_id, serverId), had))
      .returning({ server_id: gameserver.server_id });
    if (changed.length > 0) await recordAudit(tx, event);
    return changed.length > 0;
  });
}

/** Lists a game's servers in the order of its page. */
export function listGameServerOrder(db: Db, gameId: number) {
  return db
    .select({ id: gameserver.server_id, name: gameserver.server_name })
    .from(gameserver)
    .where(eq(gameserver.game_id, gameId))
    .orderBy(asc(gameserver.sort_order), asc(gameserver.server_id));
}

/** Sets the order of a game's servers. `changed`: the list differs from the current servers; nothing was changed. */
export async function orderGameServers(
  db: Db,
  actor: Actor,
  gameId: number,
  ids: number[],
): Promise<{ ok: true } | { ok: false; reason: "changed" }> {
  return db.transaction(async (tx) => {
    // One at a time per game: the game's row is the lock, and blocks new game servers meanwhile.
    await tx.select({ id: games.game_id }).from(games).where(eq(games.game_id, gameId)).for("update");
    const before = (await listGameServerOrder(tx, gameId)).map(({ id }) => id);
    if (before.length !== ids.length || before.some((id) => !ids.includes(id))) return { ok: false, reason: "changed" };
    const details = changesBetween({ order: before }, { order: ids });
    if (!details) return { ok: true };
    await tx.execute(sql`update gameserver set sort_order = place - 1
      from unnest(${sql.param(ids)}::int[]) with ordinality as wanted (id, place)
      where gameserver.server_id = wanted.id and gameserver.sort_order is distinct from place - 1`);
    await recordAudit(tx, {
      what: "gameservers-ordered",
      ...by(actor),
      subject: { type: "game", id: String(gameId) },
      details,
    });
    return { ok: true };
  });
}
