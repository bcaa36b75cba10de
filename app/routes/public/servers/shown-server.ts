// Data of a game server and its game's guide that is sent to the browser.
import { GAME_SERVER_ON_PAGES } from "#domain/game-servers/fields.ts";
import type { GameServer } from "#domain/game-servers/game-servers.ts";
import type { Game } from "#domain/games/games.ts";
import { pick } from "#domain/visible-fields.ts";
import { formatAddress, joinableCode, joinableHost, joinFacts, joinHref } from "#shared/join-href.ts";
import { localText } from "../../../language.ts";
import type { GuideText } from "../../../ui/guide/fill-guide.ts";
import { locationText } from "../location-text.ts";

/** A game server on cards and its own page. Has no address while inactive or in maintenance: it can't be joined. */
export type ShownServer = ReturnType<typeof showServer>;

/** Returns a game server's public fields, in the reader's language, with the ways to join. */
export function showServer(server: GameServer) {
  const { join_link, show_details: _, player_list: __, ...fields } = pick(server, GAME_SERVER_ON_PAGES);
  const host = joinableHost(server);
  return {
    ...fields,
    description: server.description ? localText(server.description) : null,
    server_locations: server.server_locations.map(locationText),
    links: server.links.map(({ name, label, url }) => ({ name, label: localText(label), url })),
    host,
    /** Whether it has an address. */
    announced: server.host !== null,
    address: formatAddress(host, server.game_port),
    join_href: joinHref(join_link, joinFacts(server)),
    join_code: joinableCode(server),
    /** Null without a password, and if the reader may not see it. */
    password: host === null ? null : server.password,
    access_note: server.access_note ? localText(server.access_note) : null,
  };
}

/** Returns a game's guide in one language, with its placeholders. */
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
