// Join page: chat programs remove links that open a game, so they get this page's. One press opens the game; the address is shown
// for typing.
import { siteContext } from "#web/context.ts";
import type { RouteFacts } from "#web/pages/route-facts.ts";
import { gamePicture } from "../../../game-picture.ts";
import { formatNumber } from "../../../language.ts";
import { livePage } from "../../../live/live-page.ts";
import { useLiveRow, useLiveState } from "../../../live/use-live.ts";
import { m } from "../../../paraglide/messages.js";
import { serverSharePicture } from "../../../share-picture.ts";
import { shareTags } from "../../../share-tags.ts";
import { AddressBox, isMainWay } from "../../../ui/address-box/address-box.tsx";
import { Announcer } from "../../../ui/announcer/announcer.tsx";
import { EntryNeeds } from "../../../ui/entry-needs/entry-needs.tsx";
import { JoinLink } from "../../../ui/join-link/join-link.tsx";
import { Link } from "../../../ui/link/link.tsx";
import { LiveSign } from "../../../ui/live-sign/live-sign.tsx";
import { PictureFrame } from "../../../ui/picture/picture-frame.tsx";
import { PlayersNow } from "../../../ui/server-card/players-now.tsx";
import { ShareLink } from "../../../ui/share-link/share-link.tsx";
import { StatusSign, statusText } from "../../../ui/status-sign/status-sign.tsx";
import type { Route } from "./+types/join";
import { requireShownServer } from "./asked-server.ts";
import css from "./join.module.css";
import { sharedServer, shownStatus } from "./known-values.ts";
import { showServer } from "./shown-server.ts";

/** Longer names get a smaller font. */
const LONG_NAME = 30;

export const handle: RouteFacts = { sitemap: false };

export function loader({ context, params }: Route.LoaderArgs) {
  const site = context.get(siteContext).read();
  const { server, game, row } = requireShownServer(site, params.serverId);
  return {
    site_name: site.settings.site_name,
    game: { slug: game.game_slug, name: game.game_name, picture: gamePicture(game), guided: game.guide.length > 0 },
    server: showServer(server),
    live: livePage(site, { servers: [server.server_id] }),
    facts: { status: row?.status ?? "unknown", online: row?.user_online ?? null, max: row?.user_max ?? null },
    share_picture: serverSharePicture(site, server, game),
  };
}

/** Preview in a chat: players, and the address to read. Never a password. */
export function meta({ loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { server, game, facts, site_name, share_picture } = loaderData;
  const known = { game: game.name, status: statusText(facts.status) };
  const state =
    facts.online === null
      ? m.join_description(known)
      : facts.max === null
        ? m.join_description_players({ ...known, players: formatNumber(facts.online) })
        : m.join_description_of({ ...known, players: formatNumber(facts.online), max: formatNumber(facts.max) });
  const address = server.address === null ? "" : ` ${m.join_description_address({ address: server.address })}`;
  const title = `${m.join_title({ server: server.server_name, game: game.name })} – ${site_name}`;
  return [
    ...shareTags({ title, description: state + address, picture: share_picture }),
    // Search engines should find the game server's own page.
    { name: "robots", content: "noindex" },
  ];
}

export default function Join({ loaderData: { server, game } }: Route.ComponentProps) {
  const row = useLiveRow(server.server_id);
  const { state, delayed_since } = useLiveState();
  const status = shownStatus(server, row);
  const online = row?.user_online ?? null;
  const closed = status === "inactive" || status === "maintenance";
  const spoken = { server: server.server_name, status: statusText(status) };
  return (
    <article className={css.join} key={server.server_id}>
      <div className={css.picture}>
        <PictureFrame files={game.picture} alt="" sizes="100vw" priority />
      </div>
      <div className={`page ${css.sheet}`}>
        <p className={css.game}>
          <Link to={`/games/${game.slug}`} prefetch="intent">
            {game.name}
          </Link>
        </p>
        <h1 data-long={server.server_name.length > LONG_NAME || undefined}>{server.server_name}</h1>
        <div className={css.state}>
          <StatusSign status={status} />
          {!closed && (
            <p className={css.players}>
              <PlayersNow status={status} online={online} max={row?.user_max ?? server.user_max} />
              {/* For screen readers the figure itself includes "players". */}
              <span className={css.label} aria-hidden={online !== null}>
                {m.players_now_after()}
              </span>
            </p>
          )}
          <LiveSign state={state} delayedSince={delayed_since} />
        </div>
        <Announcer
          text={
            online === null
              ? m.server_spoken(spoken)
              : m.server_spoken_players({ ...spoken, players: formatNumber(online) })
          }
        />
        {server.join_href && (
          <p className={css.open}>
            <JoinLink href={server.join_href} name={server.server_name} down={status === "offline"} size="l" />
          </p>
        )}
        <section className={css.way} aria-label={m.how_to_join()}>
          {(server.address || !server.join_code) && (
            <AddressBox
              name={server.server_name}
              address={server.address}
              joinHref={null}
              status={status}
              main={isMainWay(server.join_href, status)}
            />
          )}
          {(server.address || server.join_code) && (
            <EntryNeeds
              name={server.server_name}
              joinCode={server.join_code}
              password={server.password}
              access={server.password_access}
              note={server.access_note}
              asks={row?.password_protected === true}
            />
          )}
          {server.address && (
            <p className={css.hint}>{server.join_href ? m.join_nothing() : m.join_by_address({ game: game.name })}</p>
          )}
        </section>
        <ul className={css.further}>
          {game.guided && (
            <li>
              {m.join_not_installed()}{" "}
              <Link to={`/servers/${server.server_id}#how-to`}>{m.join_how_to({ game: game.name })}</Link>
            </li>
          )}
          <li>
            <Link to={`/servers/${server.server_id}`} prefetch="intent">
              {m.join_more()}
            </Link>
          </li>
        </ul>
        <div className={css.share}>
          <ShareLink server={sharedServer(server, game.name)} />
        </div>
      </div>
    </article>
  );
}
