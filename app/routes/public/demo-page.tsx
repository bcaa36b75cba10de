// Target of the demo's links: poses as a download, a registration or a community, and says so.
import { data } from "react-router";
import { siteContext } from "#web/context.ts";
import type { RouteFacts } from "#web/pages/route-facts.ts";
import { m } from "../../paraglide/messages.js";
import { ButtonLink } from "../../ui/button/button.tsx";
import { PageTitle } from "../../ui/page-title/page-title.tsx";
import { Picture } from "../../ui/picture/picture.tsx";
import { SceneCard } from "../../ui/scene-card/scene-card.tsx";
import type { Route } from "./+types/demo-page";

const TITLES = {
  client: m.demo_page_client,
  launcher: m.demo_page_launcher,
  torrent: m.demo_page_torrent,
  registration: m.demo_page_registration,
  discord: m.demo_page_discord,
};

const isPage = (page: string): page is keyof typeof TITLES => Object.hasOwn(TITLES, page);

export const handle: RouteFacts = { sitemap: false };

export function loader({ context, params: { page } }: Route.LoaderArgs) {
  // A real site has no such page, whatever links an admin has typed.
  if (!context.get(siteContext).read().demo || !isPage(page)) throw data(null, { status: 404 });
  return { page };
}

export default function DemoPage({ loaderData: { page } }: Route.ComponentProps) {
  const title = TITLES[page]();
  return (
    <SceneCard picture={<Picture name="slide-3" portrait="slide-3-portrait" alt="" sizes="100vw" />} title={title}>
      <PageTitle>{title}</PageTitle>
      <meta name="robots" content="noindex" />
      <p>{page === "discord" ? m.demo_page_discord_text() : m.demo_page_text()}</p>
      {page !== "discord" && <p>{m.demo_page_how()}</p>}
      <ButtonLink to="/" size="l">
        {m.demo_page_back()}
      </ButtonLink>
    </SceneCard>
  );
}
