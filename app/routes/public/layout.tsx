// Frame of all public pages: bar, page, footer, and the live figures.
import { type ReactNode, Suspense, useContext, useEffect, useState } from "react";
import { Outlet, useLocation, useNavigation } from "react-router";
import { may } from "#domain/permissions.ts";
import { type Locale, twinOf } from "#shared/locale.ts";
import { accountAwayContext, mapContext, memberContext, refusalContext, siteContext } from "#web/context.ts";
import { footerLinks } from "#web/pages/route-facts.ts";
import { here, language } from "../../language.ts";
import { useAuthEvents } from "../../live/auth-events.ts";
import { livePage } from "../../live/live-page.ts";
import { LiveProvider } from "../../live/live-provider.tsx";
import { m } from "../../paraglide/messages.js";
import { useOfflinePage } from "../../push/use-offline-page.ts";
import { sitePicture } from "../../share-picture.ts";
import { pictureTags } from "../../share-tags.ts";
import { logoPicture } from "../../site-pictures.ts";
import { StillContext } from "../../still.ts";
import { InviteContext } from "../../ui/entry-needs/invite-context.ts";
import { ErrorPage } from "../../ui/error-page/error-page.tsx";
import { Footer } from "../../ui/footer/footer.tsx";
import { lazyPart } from "../../ui/lazy-part.ts";
import { Link } from "../../ui/link/link.tsx";
import { Notice } from "../../ui/notice/notice.tsx";
import { SiteNameContext } from "../../ui/page-title/page-title.tsx";
import { TopBar } from "../../ui/top-bar/top-bar.tsx";
import type { Route } from "./+types/layout";
import { bannerItems } from "./banner-items.ts";
import { feedLinks } from "./feed-links.ts";
import css from "./layout.module.css";

/** Most games in the menu; with more it shows the first in the operator's order, and a link to all. */
const MENU_GAMES = 24;
const MENU_FIRST = 12;

export function loader({ context, url }: Route.LoaderArgs) {
  const site = context.get(siteContext).read();
  const { pathname } = url;
  const banner = bannerItems(site, pathname);
  const feeds = feedLinks(site, pathname);
  const member = context.get(memberContext);
  return {
    member: member && {
      user_id: member.user_id,
      email: member.email,
      user_nick_name: member.user_nick_name,
      avatar_url: member.avatar_url,
      reads_admin: may(member.role, "admin:read"),
      theme: member.theme,
    },
    account_away: context.get(accountAwayContext) !== null,
    site_name: site.settings.site_name,
    logo: logoPicture(site.settings.logo),
    site_url: site.site_url,
    // The demo links to a mock community of its own.
    discord_url: site.settings.discord_url || (site.demo ? here("/demo/discord") : ""),
    games: (site.games.length > MENU_GAMES ? site.games.slice(0, MENU_FIRST) : site.games)
      .map((game) => ({ slug: game.game_slug, name: game.game_name }))
      .sort((a, b) => a.name.localeCompare(b.name, language())),
    ...(site.games.length > MENU_GAMES && { games_total: site.games.length }),
    // Leaves out links to empty pages.
    footer: footerLinks(context.get(mapContext)).filter(
      ({ to }) =>
        (to !== "/news" || site.news.length > 0) && (to !== "/status" || site.plans.length + site.incidents.length > 0),
    ),
    ...(banner.length > 0 && { banner }),
    ...(feeds.length > 0 && { feeds }),
    demo: site.demo,
    years: yearsSince(site.settings.since_year),
    live: livePage(site),
    share_picture: sitePicture(site),
    /** A refusal is shown at the requested address, not at its route's page, so no script runs on it. */
    still: context.get(refusalContext) !== null,
  };
}

/** Formats "2023–2026" for the copyright line; one year if both are the same. */
function yearsSince(since: number): string {
  const now = new Date().getFullYear();
  return since < now ? `${since}–${now}` : String(now);
}

/** For pages without tags of their own. */
export const meta: Route.MetaFunction = ({ loaderData }) => (loaderData ? pictureTags(loaderData.share_picture) : []);

type Site = Route.ComponentProps["loaderData"];

export default function PublicLayout({ loaderData }: Route.ComponentProps) {
  useOfflinePage();
  return (
    <LiveProvider reader={loaderData.member?.user_id ?? "visitors"}>
      <InBothLanguages siteUrl={loaderData.site_url} siteName={loaderData.site_name} />
      {loaderData.feeds?.map(({ href, title }) => (
        <link key={href} rel="alternate" type="application/atom+xml" href={href} title={title} />
      ))}
      <Frame site={loaderData}>
        <Page />
      </Frame>
    </LiveProvider>
  );
}

const DemoBanner = lazyPart(async () => ({
  default: (await import("../../ui/demo-banner/demo-banner.tsx")).DemoBanner,
}));
const SiteBanner = lazyPart(() => import("../../ui/site-banner/site-banner.tsx"));
const ProfilePending = lazyPart(() => import("../account/profile-pending.tsx"));

/** The page; a skeleton while the profile loads. */
function Page() {
  const here = useLocation().pathname;
  const next = useNavigation().location?.pathname ?? here;
  // Saving redirects to the same page, with or without a final slash.
  const bare = (path: string) => twinOf(path, "en").replace(/\/$/, "");
  const pending = bare(next) === "/user/settings/profile" && bare(here) !== bare(next);
  return pending ? (
    <Suspense>
      <ProfilePending />
    </Suspense>
  ) : (
    <Outlet />
  );
}

/** Gives search engines this page's address in each language, and the canonical one. */
function InBothLanguages({ siteUrl, siteName }: { siteUrl: string; siteName: string }) {
  const pathname = useLocation().pathname.replace(/(?<=.)\/$/, "");
  const address = (locale: Locale) => new URL(twinOf(pathname, locale), siteUrl).href;
  return (
    <>
      <link rel="canonical" href={address(language())} />
      <link rel="alternate" hrefLang="en" href={address("en")} />
      <link rel="alternate" hrefLang="de" href={address("de")} />
      <link rel="alternate" hrefLang="x-default" href={address("en")} />
      <meta property="og:url" content={address(language())} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={siteName} />
      <meta property="og:locale" content={language() === "de" ? "de_DE" : "en_GB"} />
      <meta property="og:locale:alternate" content={language() === "de" ? "en_GB" : "de_DE"} />
    </>
  );
}

function Frame({ site, children }: { site: Site; children: ReactNode }) {
  // Its lines are dismissed by script.
  const stillPage = useContext(StillContext);
  useAuthEvents(site.account_away || site.still ? undefined : (site.member?.user_id ?? null));
  return (
    <SiteNameContext value={site.site_name}>
      <div className={css.frame}>
        <a href="#main" className={css.skip}>
          {m.skip_link()}
        </a>
        <TopBar
          siteName={site.site_name}
          logo={site.logo}
          games={site.games}
          gamesTotal={site.games_total}
          discordUrl={site.discord_url}
          still={site.still}
          accountAway={site.account_away}
          member={
            site.member && {
              name: site.member.user_nick_name,
              avatarUrl: site.member.avatar_url,
              email: site.member.email,
              labels: {
                menu: m.account_menu(),
                profile: m.account_menu_profile(),
                language: m.account_menu_language(),
                logout: m.account_menu_logout(),
                admin: m.admin_menu(),
              },
              paths: {
                profile: here("/user/settings/profile"),
                language: here("/user/settings/appearance"),
                logout: here("/logout"),
                admin: site.member.reads_admin ? here("/admin/dashboard") : undefined,
              },
            }
          }
        />
        {site.demo && !site.still && (
          <Suspense>
            <DemoBanner />
          </Suspense>
        )}
        {site.account_away && (
          <p className={css.away} role="status">
            {site.still ? (
              m.account_away_refused()
            ) : (
              <>
                {m.account_away()} <AskAgain />
              </>
            )}
          </p>
        )}
        <main id="main" tabIndex={-1} className={css.main}>
          {site.member && <ArrivalNotice />}
          {site.banner && !stillPage && (
            <Suspense>
              <SiteBanner items={site.banner} />
            </Suspense>
          )}
          <InviteContext value={site.discord_url}>{children}</InviteContext>
        </main>
        <Footer siteName={site.site_name} logo={site.logo} links={site.footer} years={site.years} />
      </div>
    </SiteNameContext>
  );
}

/** Shown on arrival to a member who opened the login page while logged in. Removed from the address. */
function ArrivalNotice() {
  const { search } = useLocation();
  const told = new URLSearchParams(search).get("notice") === "logged-in";
  const [said, setSaid] = useState(false);
  useEffect(() => {
    if (!told) return;
    history.replaceState(history.state, "", location.pathname + location.hash);
    // Screen readers announce changes of a page, not its initial content.
    const timer = setTimeout(() => setSaid(true), 500);
    return () => clearTimeout(timer);
  }, [told]);
  return told ? (
    <div className={css.notice}>
      <Notice tone="good" of={search}>
        {m.login_already()}
      </Notice>
      <p className="visually-hidden" role="status">
        {said && m.login_already()}
      </p>
    </div>
  ) : null;
}

/** Reloads the same page. */
function AskAgain() {
  const { pathname, search } = useLocation();
  return (
    <Link to={pathname + search} reloadDocument>
      {m.account_away_again()}
    </Link>
  );
}

/** A failed page keeps its frame, so that all links remain. */
export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  const page = <ErrorPage error={error} />;
  return loaderData ? <Frame site={loaderData}>{page}</Frame> : <main>{page}</main>;
}
