// Stores live cards: which exist, which process has claimed one, and the outcome. One card is one message: the intent is stored
// before posting, and after an unknown outcome no second message is posted.
import { and, asc, eq, isNull, lte, or, sql } from "drizzle-orm";
import type { CardScope } from "#content/discord/card.ts";
import type { Db } from "#db/client.ts";
import { discordCards, notificationTargets } from "#db/schema/index.ts";
import { removeDisconnected } from "./webhooks.ts";

export type CardRow = typeof discordCards.$inferSelect;

/** Longer than a request and storing its result take. */
const CLAIM_S = 60;
/** Pauses between retries: they grow with failures in a row, up to ten minutes. */
const PAUSES_S = [5, 15, 30, 60, 120, 300, 600];

/** The scope of a card; null: the game or server was deleted here. */
export function scopeOf(card: Pick<CardRow, "kind" | "game_id" | "server_id">): CardScope | null {
  if (card.kind === "site") return { kind: "site" };
  if (card.kind === "game") return card.game_id === null ? null : { kind: "game", game_id: card.game_id };
  return card.server_id === null ? null : { kind: "server", server_id: card.server_id };
}

/**
 * Lists the cards that are due, those shown longest ago first; `at` is the database's time in ms. Cards whose webhook is gone rest,
 * except those to be deleted.
 */
export async function listDueCards(db: Db): Promise<{ at: number; cards: (CardRow & { age_s: number | null })[] }> {
  const rows = await db
    .select({
      card: discordCards,
      at: sql<number>`extract(epoch from now())::float8 * 1000`,
      age_s: sql<number | null>`extract(epoch from now() - ${discordCards.shown_at})::float8`,
    })
    .from(discordCards)
    .innerJoin(notificationTargets, eq(notificationTargets.target_id, discordCards.target_id))
    .where(
      and(
        or(isNull(notificationTargets.dead_at), eq(discordCards.state, "ending")),
        lte(discordCards.next_at, sql`now()`),
        or(isNull(discordCards.claimed_until), lte(discordCards.claimed_until, sql`now()`)),
        sql`${discordCards.state} in ('waiting', 'making', 'shown', 'ending')`,
      ),
    )
    .orderBy(sql`${discordCards.shown_at} nulls first`, asc(discordCards.card_id));
  return { at: rows[0]?.at ?? Date.now(), cards: rows.map(({ card, age_s }) => ({ ...card, age_s })) };
}

/** Claims a card for the caller for a minute, if its state is unchanged. `making`: a message is about to be posted. */
export async function claimCard(db: Db, card: CardRow, as: "making" | CardRow["state"] = card.state): Promise<boolean> {
  const rows = await db
    .update(discordCards)
    .set({ state: as, claimed_until: sql`now() + ${CLAIM_S} * interval '1 second'` })
    .where(
      and(
        eq(discordCards.card_id, card.card_id),
        eq(discordCards.state, card.state),
        lte(discordCards.next_at, sql`now()`),
        or(isNull(discordCards.claimed_until), lte(discordCards.claimed_until, sql`now()`)),
      ),
    )
    .returning({ card_id: discordCards.card_id });
  return rows.length === 1;
}

const change = async (db: Db, cardId: string, set: Partial<Record<keyof CardRow, unknown>>) => {
  await db
    .update(discordCards)
    .set({ claimed_until: null, ...set } as Partial<CardRow>)
    .where(eq(discordCards.card_id, cardId));
};

/** Records what the message shows now; `pauseS` is the least time until the next edit. */
export const noteShown = (
  db: Db,
  cardId: string,
  { messageId, hash, pauseS }: { messageId: string; hash: string; pauseS: number },
) =>
  change(db, cardId, {
    // A card that an admin removed meanwhile must still be deleted in Discord.
    state: sql`case when ${discordCards.state} = 'ending' then 'ending' else 'shown' end`,
    message_id: messageId,
    content_hash: hash,
    shown_at: sql`now()`,
    next_at: sql`now() + ${pauseS}::float8 * interval '1 second'`,
    failures: 0,
    last_error: null,
  });

/** Returns a card to `state` after nothing was sent; it is due again after `afterS` seconds. */
export const noteWait = (db: Db, cardId: string, state: CardRow["state"], afterS: number) =>
  change(db, cardId, {
    state: stateUnlessEnding(state),
    next_at: sql`now() + ${afterS}::float8 * interval '1 second'`,
  });

/** Records a failure; retries after a growing pause. */
export async function noteFailure(db: Db, card: CardRow, state: CardRow["state"], reason: string): Promise<void> {
  const pauseS = PAUSES_S[Math.min(card.failures, PAUSES_S.length - 1)] ?? 600;
  await change(db, card.card_id, {
    state: stateUnlessEnding(state),
    failures: card.failures + 1,
    last_error: reason.slice(0, 300),
    next_at: sql`now() + ${pauseS} * interval '1 second'`,
  });
}

/** Marks a card whose message is unknown: an admin names the message or posts a new one. */
export const noteDoubt = (db: Db, cardId: string, reason: string) =>
  change(db, cardId, { state: stateUnlessEnding("doubtful"), message_id: null, last_error: reason.slice(0, 300) });

/** Records that the message was deleted in Discord: it is posted again once, then never. */
export const noteDeletedThere = (db: Db, card: CardRow) =>
  change(db, card.card_id, {
    state: stateUnlessEnding(card.remade_at === null ? "waiting" : "removed"),
    message_id: null,
    content_hash: null,
    remade_at: sql`now()`,
    next_at: sql`now()`,
  });

const stateUnlessEnding = (state: CardRow["state"]) =>
  state === "ending" ? state : sql`case when ${discordCards.state} = 'ending' then 'ending' else ${state} end`;

/** Deletes a card here; its message is gone or unreachable. */
export async function deleteCard(db: Db, cardId: string): Promise<void> {
  await db.delete(discordCards).where(eq(discordCards.card_id, cardId));
  await removeDisconnected(db);
}
