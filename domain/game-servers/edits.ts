// What an admin does to game servers. Each act and its audit row stand or fall together.
import { randomBytes } from "node:crypto";
import { and, asc, eq, isNotNull, max, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { games, gameserver, gameserverLiveMetrics, gameserverSample } from "#db/schema/index.ts";
import { isDangling, newRevision, revisionOf, type Saved } from "../edit-conflicts.ts";
import { type Actor, type AuditEvent, changesBetween, recordAudit } from "../site/audit.ts";
import { hashHeartbeatToken } from "./heartbeats.ts";
import type { GameServerForm } from "./shape.ts";

const subject = (serverId: number) => ({ type: "gameserver", id: String(serverId) });
const by = ({ user_id, origin }: Actor) => ({ actor_id: user_id, origin });

type GameServerRecord = typeof gameserver.$inferSelect;

/** A game server in the shape of its form. */
function formOf(server: GameServerRecord): GameServerForm {
  return {
    game_id: server.game_id,
    server_name: server.server_name,
    user_max: server.user_max,
    visibility: server.visibility,
    server_locations: server.server_locations,
    lifecycle: server.lifecycle,
    maintenance_until: server.maintenance_until?.toISOString() ?? null,
    host: server.host ?? "",
    game_port: server.game_port,
    query_port: server.query_port,
    adapter: server.adapter,
    adapter_options: server.adapter_options,
    poll_interval_s: server.poll_interval_s,
    version: server.version ?? "",
    flavour: server.flavour ?? "",
    mods: server.mods,
    join_link: server.join_link ?? "",
    links: server.links.map(({ name, label, url }) => ({ name, label_en: label.en, label_de: label.de ?? "", url })),
    description_en: server.description?.en ?? "",
    description_de: server.description?.de ?? "",
  };
}

const orNull = (text: string) => (text === "" ? null : text);

/** The columns of a form. */
function columnsOf({ description_en: en, description_de: de, ...form }: GameServerForm) {
  return {
    ...form,
    maintenance_until: form.maintenance_until === null ? null : new Date(form.maintenance_until),
    host: orNull(form.host),
    version: orNull(form.version),
    flavour: orNull(form.flavour),
    join_link: orNull(form.join_link),
    links: form.links.map(({ name, label_en: en, label_de: de, url }) => ({
      name,
      label: de ? { en, de } : { en },
      url,
    })),
    description: en || de ? { en: en || de, ...(de ? { de } : {}) } : null,
  };
}

/** A game server for the admin's pages; null when there is none. */
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
    form: formOf(server),
    has_token: server.heartbeat_token_hash !== null,
    demo: server.demo,
  };
}

/** Makes a game server, last among those of its game. */
export async function createGameServer(
  db: Db,
  actor: Actor,
  form: GameServerForm,
): Promise<{ ok: true; server_id: number } | { ok: false; reason: "no_game" }> {
  try {
    return await db.transaction(async (tx) => {
      const [last] = await tx
        .select({ place: max(gameserver.sort_order) })
        .from(gameserver)
        .where(eq(gameserver.game_id, form.game_id));
      const [made] = await tx
        .insert(gameserver)
        .values({ ...columnsOf(form), sort_order: (last?.place ?? -1) + 1 })
        .returning({ server_id: gameserver.server_id });
      if (!made) throw new Error("the game server was not inserted");
      await recordAudit(tx, {
        what: "gameserver-created",
        ...by(actor),
        subject: subject(made.server_id),
        details: { after: form },
      });
      return { ok: true as const, server_id: made.server_id };
    });
  } catch (error) {
    if (isDangling(error)) return { ok: false, reason: "no_game" };
    throw error;
  }
}

/**
 * Saves the form of a game server, unless somebody else did since `revision`. Another address makes a pretend game server
 * of the demo the operator's own.
 */
export async function updateGameServer(
  db: Db,
  actor: Actor,
  serverId: number,
  revision: string,
  form: GameServerForm,
): Promise<Saved<GameServerForm> | { ok: false; reason: "no_game" }> {
  try {
    return await db.transaction(async (tx) => {
      const [found] = await tx
        .select({ server: gameserver, revision: revisionOf(gameserver.updated_at) })
        .from(gameserver)
        .where(eq(gameserver.server_id, serverId))
        .for("update");
      if (!found) return { ok: false as const, reason: "gone" as const };
      const theirs = formOf(found.server);
      const details = changesBetween(theirs, form);
      if (!details) return { ok: true as const, revision: found.revision };
      if (found.revision !== revision)
        return { ok: false as const, reason: "conflict" as const, revision: found.revision, theirs };
      const moved = ["host", "game_port", "query_port", "adapter"].some((name) => name in details.after);
      const [saved] = await tx
        .update(gameserver)
        .set({ ...columnsOf(form), ...(moved ? { demo: false } : {}), updated_at: newRevision })
        .where(eq(gameserver.server_id, serverId))
        .returning({ revision: revisionOf(gameserver.updated_at) });
      // A turn planned by the old interval would keep a shorter one waiting. (A new address is asked at once by a trigger.)
      if ("poll_interval_s" in details.after) {
        await tx
          .update(gameserverLiveMetrics)
          .set({ next_poll_at: sql`now()` })
          .where(eq(gameserverLiveMetrics.server_id, serverId));
      }
      await recordAudit(tx, { what: "gameserver-updated", ...by(actor), subject: subject(serverId), details });
      return { ok: true as const, revision: saved?.revision ?? "" };
    });
  } catch (error) {
    if (isDangling(error)) return { ok: false, reason: "no_game" };
    throw error;
  }
}

/** Removes a game server with its history, once its name was typed as it stands. */
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
    // Samples are many and hang on no key: they are found by the index of their game server.
    await tx.delete(gameserverSample).where(eq(gameserverSample.server_id, serverId));
    const details = { before: formOf(server) };
    await recordAudit(tx, { what: "gameserver-removed", ...by(actor), subject: subject(serverId), details });
    return { ok: true };
  });
}

/**
 * Makes the token by which a game machine reports itself; the one before it is worth nothing from now on. It is told this
 * once: only its hash is kept. Null when there is no such game server.
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

/** Takes the token away. False when there is none. */
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

/** The game servers of a game in the order of its page. */
export function listGameServerOrder(db: Db, gameId: number) {
  return db
    .select({ id: gameserver.server_id, name: gameserver.server_name })
    .from(gameserver)
    .where(eq(gameserver.game_id, gameId))
    .orderBy(asc(gameserver.sort_order), asc(gameserver.server_id));
}

/** Puts the game servers of a game in this order. `changed`: these are not those that there are now; nothing was done. */
export async function orderGameServers(
  db: Db,
  actor: Actor,
  gameId: number,
  ids: number[],
): Promise<{ ok: true } | { ok: false; reason: "changed" }> {
  return db.transaction(async (tx) => {
    // One at a time for each game: the row of the game is the lock, and keeps new game servers out meanwhile.
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
