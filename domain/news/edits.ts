// Lets admins write, change and remove news. Each change and its audit row are one transaction.
import { asc, eq, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { news, newsAbout } from "#db/schema/index.ts";
import { isDangling, newRevision, revisionOf, type Saved } from "../edit-conflicts.ts";
import { slugFrom } from "../games/fields.ts";
import { withdrawEvents } from "../notifications/events.ts";
import { type Actor, changesBetween, recordAudit } from "../site/audit.ts";
import { type About, aboutOf, type NewsFields, newsColumnsOf, newsFieldsOf, titleOf } from "./fields.ts";
import { newsEventKeys } from "./tell-news.ts";

/** `ends_early`: the end isn't after the beginning. `no_choice`: a game or game server no longer exists. */
type Refusal = { ok: false; reason: "ends_early" | "no_choice" };

const MOST_SLUG_TRIES = 50;
const subject = (newsId: number) => ({ type: "news", id: String(newsId) });
const by = ({ user_id, origin }: Actor) => ({ actor_id: user_id, origin });

/** Creates news, with a slug from its title. */
export async function createNews(
  db: Db,
  actor: Actor,
  given: NewsFields,
): Promise<{ ok: true; news_id: number } | Refusal> {
  return refusingDangling(() =>
    db.transaction(async (tx) => {
      await lockNews(tx);
      const fields = await withMoments(tx, given, null);
      if (endsEarly(fields)) return { ok: false, reason: "ends_early" } as const;
      const [made] = await tx
        .insert(news)
        .values({ ...newsColumnsOf(fields), slug: await findFreeSlug(tx, titleOf(fields)), author_id: actor.user_id })
        .returning({ news_id: news.news_id });
      if (!made) throw new Error("the news were not inserted");
      await writeAbout(tx, made.news_id, fields.about);
      const details = { after: fields };
      await recordAudit(tx, { what: "news-created", ...by(actor), subject: subject(made.news_id), details });
      return { ok: true, news_id: made.news_id } as const;
    }),
  );
}

/** Finds news for the admin's pages; null when there is none. */
export async function findNewsToEdit(db: Db, newsId: number) {
  const [found] = await db
    .select({ row: news, revision: revisionOf(news.updated_at) })
    .from(news)
    .where(eq(news.news_id, newsId));
  if (!found) return null;
  const { row, revision } = found;
  return { news_id: row.news_id, slug: row.slug, revision, form: newsFieldsOf(row, await readAbout(db, newsId)) };
}

/** Saves news unless another admin has saved it since `revision`. */
export async function updateNews(
  db: Db,
  actor: Actor,
  newsId: number,
  revision: string,
  given: NewsFields,
): Promise<Saved<NewsFields> | Refusal> {
  return refusingDangling(() =>
    db.transaction(async (tx) => {
      await lockNews(tx);
      const [found] = await tx
        .select({ row: news, revision: revisionOf(news.updated_at) })
        .from(news)
        .where(eq(news.news_id, newsId));
      if (!found) return { ok: false, reason: "gone" } as const;
      const { row } = found;
      const before = await readAbout(tx, newsId);
      const theirs = newsFieldsOf(row, before);
      const fields = await withMoments(tx, given, theirs);
      const details = changesBetween(theirs, fields);
      if (!details) return { ok: true, revision: found.revision } as const;
      if (found.revision !== revision)
        return { ok: false, reason: "conflict", revision: found.revision, theirs } as const;
      if (endsEarly(fields)) return { ok: false, reason: "ends_early" } as const;
      // A slug that may have been shared stays; a draft's follows its title.
      const renamed = !theirs.published && row.told_at === null && titleOf(fields) !== titleOf(theirs);
      const [saved] = await tx
        .update(news)
        .set({
          ...newsColumnsOf(fields),
          ...(renamed && { slug: await findFreeSlug(tx, titleOf(fields), newsId) }),
          updated_at: newRevision,
        })
        .where(eq(news.news_id, newsId))
        .returning({ revision: revisionOf(news.updated_at) });
      if (details.after.about) await writeAbout(tx, newsId, fields.about);
      if (theirs.published && !fields.published) await withdrawEvents(tx, newsEventKeys(newsId, before));
      await recordAudit(tx, { what: "news-updated", ...by(actor), subject: subject(newsId), details });
      return { ok: true, revision: saved?.revision ?? "" } as const;
    }),
  );
}

/** Removes news after its exact title was typed; cancels notifications not sent yet. */
export async function removeNews(
  db: Db,
  actor: Actor,
  newsId: number,
  typedTitle: string,
): Promise<{ ok: true } | { ok: false; reason: "gone" | "not_confirmed" }> {
  return db.transaction(async (tx) => {
    const [row] = await tx.select().from(news).where(eq(news.news_id, newsId)).for("update");
    if (!row) return { ok: false, reason: "gone" };
    const about = await readAbout(tx, newsId);
    const before = newsFieldsOf(row, about);
    if (typedTitle.trim() !== titleOf(before)) return { ok: false, reason: "not_confirmed" };
    await withdrawEvents(tx, newsEventKeys(newsId, about));
    await tx.delete(news).where(eq(news.news_id, newsId));
    await recordAudit(tx, { what: "news-removed", ...by(actor), subject: subject(newsId), details: { before } });
    return { ok: true };
  });
}

/** Blocks other writes of news until the transaction ends: slugs are chosen by the existing ones. */
const lockNews = (tx: Db) => tx.execute(sql`lock table news in share row exclusive mode`);

const readAbout = (db: Db, newsId: number): Promise<About[]> =>
  db
    .select({ game_id: newsAbout.game_id, server_id: newsAbout.server_id })
    .from(newsAbout)
    .where(eq(newsAbout.news_id, newsId))
    .orderBy(asc(newsAbout.about_id));

async function writeAbout(tx: Db, newsId: number, about: readonly string[]): Promise<void> {
  await tx.delete(newsAbout).where(eq(newsAbout.news_id, newsId));
  if (about.length > 0) await tx.insert(newsAbout).values(about.map((one) => ({ news_id: newsId, ...aboutOf(one) })));
}

/**
 * Fills in the beginning: published without one, news begins now, or keeps its beginning if it has begun. A form has only minutes:
 * an unchanged time keeps its seconds.
 */
async function withMoments(tx: Db, given: NewsFields, theirs: NewsFields | null): Promise<NewsFields> {
  const kept = (name: "starts_at" | "ends_at") => {
    const [mine, stored] = [given[name], theirs?.[name] ?? null];
    const same = mine !== null && stored !== null && minuteOf(mine) === minuteOf(stored);
    return same ? stored : mine === null ? null : new Date(mine).toISOString();
  };
  const fields = { ...given, starts_at: kept("starts_at"), ends_at: kept("ends_at") };
  if (fields.starts_at !== null || !fields.published) return fields;
  const {
    rows: [clock],
  } = await tx.execute<{ now: string }>(sql`select now()::text as now`);
  const now = new Date(clock?.now ?? Date.now());
  const begun = theirs?.published && theirs.starts_at !== null && Date.parse(theirs.starts_at) <= now.getTime();
  return { ...fields, starts_at: begun ? theirs.starts_at : now.toISOString() };
}

const minuteOf = (time: string): number => Math.floor(Date.parse(time) / 60_000);

const endsEarly = ({ starts_at, ends_at }: NewsFields): boolean =>
  ends_at !== null && starts_at !== null && Date.parse(ends_at) <= Date.parse(starts_at);

async function findFreeSlug(tx: Db, title: string, exceptId?: number): Promise<string> {
  const suggested = slugFrom(title);
  // The result for a name without letters.
  const wanted = suggested === "game" ? "news" : suggested;
  const rows = await tx
    .select({ slug: news.slug, news_id: news.news_id })
    .from(news)
    .where(sql`${news.slug} like ${`${wanted}%`}`);
  const taken = new Set(rows.filter(({ news_id }) => news_id !== exceptId).map(({ slug }) => slug));
  for (let number = 1; number < MOST_SLUG_TRIES; number += 1) {
    const slug = number === 1 ? wanted : `${wanted}-${number}`;
    if (!taken.has(slug)) return slug;
  }
  return `${wanted}-${Date.now()}`;
}

/** A game or game server was deleted while it was being chosen. */
async function refusingDangling<Outcome>(act: () => Promise<Outcome>): Promise<Outcome | Refusal> {
  try {
    return await act();
  } catch (error) {
    if (isDangling(error)) return { ok: false, reason: "no_choice" };
    throw error;
  }
}
