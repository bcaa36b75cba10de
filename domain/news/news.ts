// News for pages, feeds and the banner: published, begun, and limited to what an audience may see.
import { asc, desc, eq, inArray } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { type NewsText, news, newsAbout } from "#db/schema/index.ts";

/** At most this many, the newest, are in memory; at one a day that takes years. */
const MOST_KEPT = 1_000;
/** How long news without an end stays on the pages of its subjects; pinned ones stay until unpinned. */
const NEW_FOR_MS = 7 * 24 * 3600_000;

/** Published news, begun or not. Times are ISO texts. */
export type PublishedNews = {
  news_id: number;
  slug: string;
  title: NewsText;
  text: NewsText;
  pinned: boolean;
  starts_at: string;
  ends_at: string | null;
  updated_at: string;
  /** Null: everyone. Otherwise games and game servers by id; an empty list concerns no one. */
  about: { game_ids: number[]; server_ids: number[] } | null;
};

/** News that has begun. `holds`: it is current, and shown on the pages of its subjects. */
export type BegunNews = PublishedNews & { holds: boolean };

/** For an audience: names no subject that it may not see. */
export type ShownNews = Omit<BegunNews, "about"> & { about: { games: string[]; server_ids: number[] } | null };

/** Lists all published news, newest first. */
export async function listPublishedNews(db: Db): Promise<PublishedNews[]> {
  const rows = await db
    .select()
    .from(news)
    .where(eq(news.published, true))
    .orderBy(desc(news.starts_at), desc(news.news_id))
    .limit(MOST_KEPT);
  const ids = rows.filter(({ scope }) => scope === "some").map(({ news_id }) => news_id);
  const abouts =
    ids.length === 0
      ? []
      : await db.select().from(newsAbout).where(inArray(newsAbout.news_id, ids)).orderBy(asc(newsAbout.about_id));
  const aboutOf = Map.groupBy(abouts, ({ news_id }) => news_id);
  return rows.map(({ scope, starts_at, ends_at, updated_at, ...row }) => {
    const some = aboutOf.get(row.news_id) ?? [];
    return {
      news_id: row.news_id,
      slug: row.slug,
      title: row.title,
      text: row.text,
      pinned: row.pinned,
      // Published news always has a beginning; the table enforces it.
      starts_at: (starts_at ?? updated_at).toISOString(),
      ends_at: ends_at?.toISOString() ?? null,
      updated_at: updated_at.toISOString(),
      about:
        scope === "site"
          ? null
          : {
              game_ids: some.flatMap(({ game_id }) => game_id ?? []),
              server_ids: some.flatMap(({ server_id }) => server_id ?? []),
            },
    };
  });
}

/** News begun by `now` (ms): current pinned ones first, then the newest. */
export function begunBy(now: number, published: readonly PublishedNews[]): BegunNews[] {
  const begun = published
    .filter(({ starts_at }) => Date.parse(starts_at) <= now)
    .map((one) => ({ ...one, holds: holdsAt(now, one) }));
  const first = ({ pinned, holds }: BegunNews) => (pinned && holds ? 0 : 1);
  return begun.sort(
    (one, other) =>
      first(one) - first(other) ||
      Date.parse(other.starts_at) - Date.parse(one.starts_at) ||
      other.news_id - one.news_id,
  );
}

const holdsAt = (now: number, { starts_at, ends_at, pinned }: PublishedNews): boolean =>
  ends_at === null ? pinned || now < Date.parse(starts_at) + NEW_FOR_MS : now < Date.parse(ends_at);

/**
 * News for an audience, by the games and game servers that it sees; null if none of the subjects is among them, so that hidden ones
 * stay hidden.
 */
export function newsSeenWith(
  one: BegunNews,
  seen: { gameSlugs: ReadonlyMap<number, string>; serverIds: ReadonlySet<number> },
): ShownNews | null {
  const { about } = one;
  if (about === null) return { ...one, about };
  const games = about.game_ids.flatMap((id) => seen.gameSlugs.get(id) ?? []);
  const server_ids = about.server_ids.filter((id) => seen.serverIds.has(id));
  return games.length + server_ids.length === 0 ? null : { ...one, about: { games, server_ids } };
}
