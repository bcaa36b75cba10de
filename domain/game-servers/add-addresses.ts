// Creates game servers from a batch's lines, each by itself, so that a refused line doesn't block the others.
import { eq, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { addressBatchLines } from "#db/schema/index.ts";
import { type FieldErrorCode, isFieldErrorCode } from "#shared/field-error-codes.ts";
import type { VISIBILITIES } from "#shared/statuses.ts";
import { takeCatalogueGames } from "../games/catalogue.ts";
import type { Actor } from "../site/audit.ts";
import { type Choice, findBatch } from "./address-batches.ts";
import { askedBy, chosenCatalogueId, foundAt, isClosed, type SiteGame } from "./address-suggestion.ts";
import { findThere, gameOf, listGameServersAt, listSiteGames, type StoredLine } from "./batch-view.ts";
import { createGameServer } from "./edits.ts";
import { type AddressRule, gameServerShape, newGameServerFields } from "./fields.ts";

/** Why a line wasn't added. `on_site`: a game server with this address exists. `closed`: it may not be queried. */
type AddRefusal = FieldErrorCode | "on_site" | "closed";

type Given = {
  /** The ticked lines with their games and names. */
  lines: readonly Omit<Choice, "chosen">[];
  visibility: (typeof VISIBILITIES)[number];
  rule: AddressRule;
};

export type Added = { added: number; refused: number };

/**
 * Adds the lines; already added ones stay unchanged. Also adds catalogue games that the site lacks. Null: the batch no longer
 * exists. Lines added before the database became unavailable stay added.
 */
export async function addFromBatch(db: Db, actor: Actor, batchId: number, given: Given): Promise<Added | null> {
  const batch = await findBatch(db, batchId);
  if (!batch) return null;
  let site = await listSiteGames(db);
  const wanted = given.lines.flatMap(({ game }) => chosenCatalogueId(game) ?? []);
  const missing = wanted.filter((id) => !site.some(({ catalogue_id }) => catalogue_id === id));
  if (missing.length > 0) {
    await takeCatalogueGames(db, actor, missing);
    site = await listSiteGames(db);
  }
  const result: Added = { added: 0, refused: 0 };
  for (const line of given.lines) {
    if (!batch.lines.some(({ line_id }) => line_id === line.line_id)) continue;
    const outcome = await addLine(db, actor, line, { ...given, site });
    if (outcome === "added") result.added += 1;
    if (outcome === "refused") result.refused += 1;
  }
  return result;
}

type Around = Given & { site: readonly SiteGame[] };

/** Adds one line, or stores why it was refused. Null: another admin has added or removed it. */
async function addLine(
  db: Db,
  actor: Actor,
  given: Given["lines"][number],
  around: Around,
): Promise<"added" | "refused" | null> {
  return db.transaction(async (tx) => {
    const [line] = await tx
      .select()
      .from(addressBatchLines)
      .where(eq(addressBatchLines.line_id, given.line_id))
      .for("update");
    if (!line?.host || line.added_at !== null) return null;
    // Two batches may contain the same address: check one at a time.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`game servers at ${line.host}`}, 0))`);
    const { made, set } = await makeOf(tx, actor, line, given, around);
    await tx
      .update(addressBatchLines)
      .set({ ...set, chosen: true, chosen_game: given.game || null, chosen_name: given.name })
      .where(eq(addressBatchLines.line_id, line.line_id));
    return made ? "added" : "refused";
  });
}

/** Returns what to store for the line: its game server, or the reason for none. */
async function makeOf(tx: Db, actor: Actor, line: StoredLine, given: Given["lines"][number], around: Around) {
  const refuse = (refused: AddRefusal) => ({ made: false as const, set: { refused } });
  if (findThere(line, await listGameServersAt(tx, [line]))) return refuse("on_site");
  if (isClosed(line.diagnosis?.causes ?? [])) return refuse("closed");
  const checked = gameServerShape(around.rule).safeParse(fieldsOf(line, given, around));
  if (!checked.success) {
    const [code] = checked.error.issues.map(({ message }) => message).filter(isFieldErrorCode);
    return refuse(code ?? "no_choice");
  }
  const made = await createGameServer(tx, actor, checked.data);
  if (!made.ok) return refuse(made.reason);
  const set = { server_id: made.server_id, added_at: sql`now()`, password: null, refused: null };
  return { made: true as const, set };
}

const UNSAID = newGameServerFields.parse({ game_id: 1, server_name: "-", adapter: "a2s" });

/** Builds a line's game server, for its shape to validate. */
function fieldsOf(line: StoredLine, { game, name }: Given["lines"][number], { site, visibility }: Around) {
  const { own, known } = gameOf(game, site);
  const finding = foundAt(line.diagnosis?.findings ?? []);
  const { adapter, adapter_options, game_port, query_port } = finding ?? askedBy(line, own, known);
  return {
    ...UNSAID,
    game_id: own?.game_id,
    server_name: name,
    visibility,
    host: line.host ?? "",
    game_port,
    query_port,
    adapter,
    adapter_options,
    join_link: own?.join_link ?? "",
    ...(line.password !== null && { password: line.password, password_access: "members" }),
  };
}
