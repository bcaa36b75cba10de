// Notifies followers of the subjects of news, once: when it begins, or never if it began long ago.
import { and, asc, eq, inArray, isNull, lte, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { games, gameserver, news, newsAbout } from "#db/schema/index.ts";
import { type NewEvent, recordEvents } from "../notifications/events.ts";
import type { About } from "./fields.ts";
import { summaryOf } from "./markdown.ts";
import { readerText } from "./reader-text.ts";

/** News that began earlier was written down afterwards and isn't sent. */
const OLD_AFTER_MS = 24 * 3600_000;
const AT_ONCE = 20;

const tellingKey = (newsId: number): string => `news:${newsId}`;
const aboutKey = (newsId: number, { game_id, server_id }: About): string =>
  `${tellingKey(newsId)}:${game_id === null ? `server:${server_id}` : `game:${game_id}`}`;

/** The keys of all events that news may have. */
export const newsEventKeys = (newsId: number, about: readonly About[]): string[] => [
  tellingKey(newsId),
  ...about.map((one) => aboutKey(newsId, one)),
];

/** Records the events of news that has begun. Returns how many. Concurrent processes take different ones. */
export async function tellNews(db: Db): Promise<number> {
  return db.transaction(async (tx) => {
    const due = await tx
      .select()
      .from(news)
      .where(and(eq(news.published, true), isNull(news.told_at), lte(news.starts_at, sql`now()`)))
      .orderBy(asc(news.starts_at), asc(news.news_id))
      .limit(AT_ONCE)
      .for("update", { skipLocked: true });
    if (due.length === 0) return 0;
    const ids = due.map(({ news_id }) => news_id);
    // Hidden subjects cause no notification, also not later when they are shown.
    const about = await tx
      .select({ news_id: newsAbout.news_id, game_id: newsAbout.game_id, server_id: newsAbout.server_id })
      .from(newsAbout)
      .leftJoin(gameserver, eq(gameserver.server_id, newsAbout.server_id))
      .innerJoin(games, sql`${games.game_id} = coalesce(${newsAbout.game_id}, ${gameserver.game_id})`)
      .where(
        and(
          inArray(newsAbout.news_id, ids),
          eq(games.published, true),
          sql`${gameserver.visibility} is distinct from 'hidden'`,
        ),
      );
    const aboutOf = Map.groupBy(about, ({ news_id }) => news_id);
    const {
      rows: [clock],
    } = await tx.execute<{ now: string }>(sql`select now()::text as now`);
    const now = Date.parse(clock?.now ?? "");
    await recordEvents(
      tx,
      due.flatMap(({ news_id, slug, title, text, scope, starts_at, ends_at }): NewEvent[] => {
        if (starts_at === null || starts_at.getTime() < now - OLD_AFTER_MS) return [];
        if (ends_at !== null && ends_at.getTime() <= now) return [];
        const event = {
          kind: "news",
          subject_id: String(news_id),
          facts: { slug, ...textsOf({ title, text }) },
          telling_key: tellingKey(news_id),
          ...(ends_at && { expires_at: ends_at }),
        } as const;
        if (scope === "site") return [{ ...event, dedupe_key: tellingKey(news_id) }];
        return (aboutOf.get(news_id) ?? []).map(({ game_id, server_id }) => ({
          ...event,
          about: { game_id, server_id },
          dedupe_key: aboutKey(news_id, { game_id, server_id }),
        }));
      }),
    );
    // No admin's change, so the revision stays. Web processes are notified all the same, and find nothing new.
    await tx.update(news).set({ told_at: sql`now()` }).where(inArray(news.news_id, ids));
    return due.length;
  });
}

/** Title and summary, in each language. */
function textsOf(one: Parameters<typeof readerText>[0]) {
  const [en, de] = [readerText(one, "en"), readerText(one, "de")];
  return { title: { en: en.title, de: de.title }, text: { en: summaryOf(en.text), de: summaryOf(de.text) } };
}
