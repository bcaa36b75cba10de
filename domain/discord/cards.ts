// Live cards as the database keeps them: which there are, who is at one, and what became of it. One card is one message: before
// one is posted that is written down, and where nobody knows what came of it, no second one is posted.
import { and, asc, eq, isNull, lte, or, sql } from "drizzle-orm";
import type { CardScope } from "#content/discord/card.ts";
import type { Db } from "#db/client.ts";
import { discordCards, notificationTargets } from "#db/schema/index.ts";
import { removeDisconnected } from "./webhooks.ts";

export type CardRow = typeof discordCards.$inferSelect;

/** Longer than a request and the writing of its answer take. */
const CLAIM_S = 60;
/** Failures in a row make the pause before the next try longer, up to ten minutes. */
const PAUSES_S = [5, 15, 30, 60, 120, 300, 600];

/** What a card is about; null: it was deleted here. */
export function scopeOf(card: Pick<CardRow, "kind" | "game_id" | "server_id">): CardScope | null {
  if (card.kind === "site") return { kind: "site" };
  if (card.kind === "game") return card.game_id === null ? null : { kind: "game", game_id: card.game_id };
  return card.server_id === null ? null : { kind: "server", server_id: card.server_id };
}

/**
 * The cards that somebody may look at now, those first that wait longest; `at` is the database's time in ms. Those whose
 * webhook is gone rest, but for what is to be deleted.
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

/** Takes a card for the caller alone, if it still is in this state: for a minute. `making`: a message is about to be posted. */
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

/** Its message shows this now; it is changed again after `pauseS` at the earliest. */
export const noteShown = (
  db: Db,
  cardId: string,
  { messageId, hash, pauseS }: { messageId: string; hash: string; pauseS: number },
) =>
  change(db, cardId, {
    // One that an admin has removed meanwhile is still to be deleted in Discord.
    state: sql`case when ${discordCards.state} = 'ending' then 'ending' else 'shown' end`,
    message_id: messageId,
    content_hash: hash,
    shown_at: sql`now()`,
    next_at: sql`now() + ${pauseS}::float8 * interval '1 second'`,
    failures: 0,
    last_error: null,
  });

/** Nothing was sent: it goes back to `state`, and is looked at again after so many seconds. */
export const noteWait = (db: Db, cardId: string, state: CardRow["state"], afterS: number) =>
  change(db, cardId, {
    state: stateUnlessEnding(state),
    next_at: sql`now() + ${afterS}::float8 * interval '1 second'`,
  });

/** It failed, and is tried again after a pause that grows. */
export async function noteFailure(db: Db, card: CardRow, state: CardRow["state"], reason: string): Promise<void> {
  const pauseS = PAUSES_S[Math.min(card.failures, PAUSES_S.length - 1)] ?? 600;
  await change(db, card.card_id, {
    state: stateUnlessEnding(state),
    failures: card.failures + 1,
    last_error: reason.slice(0, 300),
    next_at: sql`now() + ${pauseS} * interval '1 second'`,
  });
}

/** Nobody knows which message is its own: an admin says it, or has one posted anew. */
export const noteDoubt = (db: Db, cardId: string, reason: string) =>
  change(db, cardId, { state: stateUnlessEnding("doubtful"), message_id: null, last_error: reason.slice(0, 300) });

/** Its message was deleted in Discord: it is made again once, and after that it stays away. */
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

/** Ends a card here; its message is gone, or cannot be reached. */
export async function deleteCard(db: Db, cardId: string): Promise<void> {
  await db.delete(discordCards).where(eq(discordCards.card_id, cardId));
  await removeDisconnected(db);
}
