// A news article.

import { data } from "react-router";
import { renderNewsText } from "#domain/news/markdown.ts";
import { readerText } from "#domain/news/reader-text.ts";
import { momentText } from "#shared/text/date-text.ts";
import { siteContext } from "#web/context.ts";
import type { RouteFacts } from "#web/pages/route-facts.ts";
import { language } from "../../../language.ts";
import { useNow } from "../../../live/use-live.ts";
import { m } from "../../../paraglide/messages.js";
import { sitePicture } from "../../../share-picture.ts";
import { shareTags } from "../../../share-tags.ts";
import { articleThing, breadcrumbs, graphOf } from "../../../structured-data.ts";
import { PageIcon } from "../../../ui/icon/more-icons.tsx";
import { Link } from "../../../ui/link/link.tsx";
import { useReaderZone } from "../../../ui/reader-zone.ts";
import { RelativeTime } from "../../../ui/relative-time/relative-time.tsx";
import { RichText } from "../../../ui/rich-text/rich-text.tsx";
import type { Route } from "./+types/article";
import { About } from "./about.tsx";
import css from "./news.module.css";
import { showArticle } from "./shown-article.ts";

export const handle: RouteFacts = {
  sitemap: ({ news }) =>
    news.map(({ slug, updated_at }) => ({
      params: { newsSlug: slug },
      changed: updated_at.slice(0, "2024-12-31".length),
    })),
};

export function loader({ context, params }: Route.LoaderArgs) {
  const site = context.get(siteContext).read();
  const found = site.news.find(({ slug }) => slug === params.newsSlug);
  if (!found) throw data(null, { status: 404 });
  const article = showArticle(site, found);
  return {
    site_name: site.settings.site_name,
    share_picture: sitePicture(site),
    article,
    html: renderNewsText(readerText(found, language()).text),
    thing: graphOf(
      breadcrumbs(site, [
        { name: m.news_title(), path: "/news" },
        { name: article.title, path: article.path },
      ]),
      articleThing(site, article),
    ),
  };
}

export function meta({ loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { article, site_name, share_picture, thing } = loaderData;
  return [
    ...shareTags({
      title: `${article.title} – ${site_name}`,
      description: article.summary || article.title,
      picture: share_picture,
      thing,
    }),
    { property: "article:published_time", content: article.at },
  ];
}

export default function Article({ loaderData: { article, html } }: Route.ComponentProps) {
  const { title, lang, at, until, about } = article;
  const now = useNow();
  const { timeZone } = useReaderZone();
  const exact = (time: string) => momentText(Date.parse(time), language(), timeZone);
  return (
    <article className={`page ${css.sheet}`}>
      <header className={css.head}>
        <Link to="/news" className={css.back}>
          <PageIcon shape="arrow-left" size={18} />
          {m.news_title()}
        </Link>
        <h1 lang={lang} dir="auto">
          {title}
        </h1>
        <p className={css.when}>
          <RelativeTime at={at} now={now} />
          <span>{exact(at)}</span>
        </p>
        {until !== null && (
          <p className={css.until}>
            {Date.parse(until) > now ? m.news_until({ time: exact(until) }) : m.news_was_until({ time: exact(until) })}
          </p>
        )}
        <About things={about} />
        {lang !== undefined && (
          <p className={css.other}>{lang === "en" ? m.news_only_english() : m.news_only_german()}</p>
        )}
      </header>
      {html !== "" && <RichText html={html} lang={lang} />}
    </article>
  );
}
