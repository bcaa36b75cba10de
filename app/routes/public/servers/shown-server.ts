// What leaves the server about a game server and its game's guide.
import { GAME_SERVER_ON_PAGES } from "#domain/game-servers/fields.ts";
import type { GameServer } from "#domain/game-servers/game-servers.ts";
import type { Game } from "#domain/games/games.ts";
import { pick } from "#domain/visible-fields.ts";
import { formatAddress, joinableCode, joinableHost, joinFacts, joinHref } from "#shared/join-href.ts";
import { localText } from "../../../language.ts";
import type { GuideText } from "../../../ui/guide/fill-guide.ts";
import { locationText } from "../location-text.ts";

/** A game server as cards and its own page show it. One that is inactive or in maintenance has no address: nobody can join it. */
export type ShownServer = ReturnType<typeof showServer>;

/** What pages may show of a game server, in the reader's language, and the ways in. */
export function showServer(server: GameServer) {
  const { join_link, show_details: _, player_list: __, ...fields } = pick(server, GAME_SERVER_ON_PAGES);
  const host = joinableHost(server);
  return {
    ...fields,
    description: server.description ? localText(server.description) : null,
    server_locations: server.server_locations.map(locationText),
    links: server.links.map(({ name, label, url }) => ({ name, label: localText(label), url })),
    host,
    /** Whether it has an address at all. */
    announced: server.host !== null,
    address: formatAddress(host, server.game_port),
    join_href: joinHref(join_link, joinFacts(server)),
    join_code: joinableCode(server),
    /** Null where there is none, and where the reader may not read it. */
    password: host === null ? null : server.password,
    access_note: server.access_note ? localText(server.access_note) : null,
  };
}

/** A game's guide in one language, its placeholders still open. */
export function showGuide(game: Game): { steps: GuideText[]; boxes: GuideText[] } {
  const link = ({ label, url }: NonNullable<Game["guide"][number]["links"]>[number]) => ({
    label: localText(label),
    url,
  });
  return {
    steps: game.guide.map((step) => ({
      title: localText(step.title),
      text: step.text && localText(step.text),
      links: (step.links ?? []).map(link),
    })),
    boxes: game.guide_boxes.map((box) => ({
      title: localText(box.title),
      text: box.text && localText(box.text),
      links: (box.links ?? []).map(link),
    })),
  };
}
