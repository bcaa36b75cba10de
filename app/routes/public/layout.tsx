// The frame of everything that anybody may see: bar, page, footer, and the live figures that pages read.
import type { ReactNode } from "react";
import { Outlet } from "react-router";
import { siteContext } from "#web/context.ts";
import { livePage } from "../../live/live-page.ts";
import { LiveProvider } from "../../live/live-provider.tsx";
import { DemoBanner } from "../../ui/demo-banner/demo-banner.tsx";
import { ErrorPage } from "../../ui/error-page/error-page.tsx";
import { Footer } from "../../ui/footer/footer.tsx";
import { TopBar } from "../../ui/top-bar/top-bar.tsx";
import type { Route } from "./+types/layout";
import css from "./layout.module.css";

export function loader({ context }: Route.LoaderArgs) {
  const site = context.get(siteContext).read();
  return {
    site_name: site.settings.site_name,
    discord_url: site.settings.discord_url,
    games: site.games
      .map((game) => ({ slug: game.game_slug, name: game.game_name }))
      .sort((a, b) => a.name.localeCompare(b.name, "en")),
    demo: site.demo,
    year: new Date().getFullYear(),
    live: livePage(site),
  };
}

type Site = Route.ComponentProps["loaderData"];

export default function PublicLayout({ loaderData }: Route.ComponentProps) {
  return (
    <LiveProvider initial={loaderData.live}>
      <Frame site={loaderData}>
        <Outlet />
      </Frame>
    </LiveProvider>
  );
}

function Frame({ site, children }: { site: Site; children: ReactNode }) {
  return (
    <div className={css.frame}>
      <a href="#main" className={css.skip}>
        Skip to the page
      </a>
      <TopBar siteName={site.site_name} games={site.games} discordUrl={site.discord_url} />
      <main id="main" tabIndex={-1} className={css.main}>
        {children}
      </main>
      <Footer siteName={site.site_name} year={site.year} />
      {site.demo && <DemoBanner />}
    </div>
  );
}

/** A failed page keeps the frame around it, so that every way out is still there. */
export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  const page = <ErrorPage error={error} />;
  return loaderData ? <Frame site={loaderData}>{page}</Frame> : <main>{page}</main>;
}
