// All news: the latest with summaries, older ones by title.
import { siteContext } from "#web/context.ts";
import type { RouteFacts } from "#web/pages/route-facts.ts";
import { here } from "../../../language.ts";
import { useNow } from "../../../live/use-live.ts";
import { m } from "../../../paraglide/messages.js";
import { sitePicture } from "../../../share-picture.ts";
import { shareTags } from "../../../share-tags.ts";
import { EmptyState } from "../../../ui/empty-state/empty-state.tsx";
import { PageIcon } from "../../../ui/icon/more-icons.tsx";
import { Link } from "../../../ui/link/link.tsx";
import { RelativeTime } from "../../../ui/relative-time/relative-time.tsx";
import type { Route } from "./+types/news";
import { About } from "./about.tsx";
import css from "./news.module.css";
import { type ShownArticle, showArticle } from "./shown-article.ts";

/** Number of articles with a summary. */
const WITH_SUMMARY = 20;

export const handle: RouteFacts = {
  footer: m.footer_news,
  // Leaves an empty page out of the sitemap.
  sitemap: ({ news }) => (news.length > 0 ? [{}] : []),
};

export function loader({ context }: Route.LoaderArgs) {
  const site = context.get(siteContext).read();
  const articles = site.news.map((one) => showArticle(site, one));
  return {
    site_name: site.settings.site_name,
    share_picture: sitePicture(site),
    latest: articles.slice(0, WITH_SUMMARY),
    older: articles.slice(WITH_SUMMARY).map(({ path, title, lang, at }) => ({ path, title, lang, at })),
  };
}

export function meta({ loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { site_name, share_picture } = loaderData;
  const title = `${m.news_title()} – ${site_name}`;
  return shareTags({ title, description: m.news_description({ site: site_name }), picture: share_picture });
}

export default function News({ loaderData: { latest, older } }: Route.ComponentProps) {
  const now = useNow();
  return (
    <div className={`page ${css.sheet}`}>
      <header className={css.head}>
        <h1>{m.news_title()}</h1>
        <a href={here("/feed.atom")} className={css.feed}>
          <PageIcon shape="rss" size={16} />
          {m.news_feed()}
        </a>
      </header>
      {latest.length === 0 ? (
        <EmptyState title={m.news_empty()}>
          <p>{m.news_empty_text()}</p>
          <Link to="/">{m.nav_home()}</Link>
        </EmptyState>
      ) : (
        <ol className={css.list}>
          {latest.map((article) => (
            <li key={article.path}>
              <Latest article={article} now={now} />
            </li>
          ))}
        </ol>
      )}
      {older.length > 0 && (
        <section className={css.older} aria-labelledby="older">
          <h2 id="older">{m.news_older()}</h2>
          <ol>
            {older.map(({ path, title, lang, at }) => (
              <li key={path}>
                <Link to={path} lang={lang} dir="auto">
                  {title}
                </Link>{" "}
                <span className={css.when}>
                  <RelativeTime at={at} now={now} />
                </span>
              </li>
            ))}
          </ol>
        </section>
      )}
    </div>
  );
}

function Latest({ article, now }: { article: ShownArticle; now: number }) {
  const { path, title, summary, lang, at, pinned, about } = article;
  return (
    <article className={css.entry} data-pinned={pinned || undefined}>
      <p className={css.when}>
        {pinned && <span className={css.pinned}>{m.news_pinned()}</span>}
        <RelativeTime at={at} now={now} />
      </p>
      <div className={css.words}>
        <h2 lang={lang} dir="auto">
          <Link to={path} className={css.title} prefetch="intent">
            {title}
          </Link>
        </h2>
        {summary && (
          <p className={css.summary} lang={lang} dir="auto">
            {summary}
          </p>
        )}
        <About things={about} />
      </div>
    </article>
  );
}
