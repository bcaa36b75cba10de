// The admin's list of news: drafts, scheduled, current and past ones.
import { asc, desc, type SQL, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { news } from "#db/schema/index.ts";
import { contains, type ListPage, type ListQuery, ordered, readPage } from "../paging.ts";
import { titleOf } from "./fields.ts";

/** Sort keys of the list; `order`: drafts first, then the readers' order. */
export const NEWS_SORTS = ["order", "title", "starts_at"] as const;
type NewsSort = (typeof NEWS_SORTS)[number];

/** `over`: it has ended and appears only in the list of news. */
export type NewsState = "draft" | "later" | "shown" | "over";

export type NewsListRow = {
  news_id: number;
  slug: string;
  title: string;
  state: NewsState;
  pinned: boolean;
  /** ISO texts. */
  starts_at: string | null;
  updated_at: string;
};

/** Lists one page of all news. */
export function listNews(db: Db, query: ListQuery<NewsSort>): Promise<ListPage<NewsListRow, NewsSort>> {
  const title = sql`concat_ws(' ', ${news.title}->>'en', ${news.title}->>'de')`;
  const found = query.q ? contains(title, query.q) : undefined;
  const columns: Record<NewsSort, SQL[]> = {
    order: [ordered(news.published, query.descending), ordered(news.starts_at, !query.descending)],
    title: [ordered(sql`lower(${title})`, query.descending)],
    starts_at: [ordered(news.starts_at, query.descending)],
  };
  const state = sql<NewsState>`case when not ${news.published} then 'draft' when ${news.starts_at} > now() then 'later'
    when ${news.ends_at} <= now() then 'over' else 'shown' end`;
  return readPage(
    query,
    () => db.$count(news, found),
    async (limit, offset) => {
      const rows = await db
        .select({
          news_id: news.news_id,
          slug: news.slug,
          title: news.title,
          state,
          pinned: news.pinned,
          starts_at: news.starts_at,
          updated_at: news.updated_at,
        })
        .from(news)
        .where(found)
        .orderBy(...columns[query.sort], query.descending ? asc(news.news_id) : desc(news.news_id))
        .limit(limit)
        .offset(offset);
      return rows.map(({ title, starts_at, updated_at, ...row }) => ({
        ...row,
        title: titleOf({ title_en: title.en ?? "", title_de: title.de ?? "" }),
        starts_at: starts_at?.toISOString() ?? null,
        updated_at: updated_at.toISOString(),
      }));
    },
  );
}
