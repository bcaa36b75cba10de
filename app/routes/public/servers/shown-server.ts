// What leaves the server about a game server and its game's guide: the fields that pages show, one by one.
import type { GameServer } from "#domain/game-servers/game-servers.ts";
import type { Game } from "#domain/games/games.ts";
import { formatAddress, joinableHost, joinHref } from "#shared/join-href.ts";
import type { LiveRow } from "#shared/live-row.ts";
import { UNMEASURED } from "#shared/statuses.ts";
import { localText } from "../../../language.ts";
import type { GuideText, GuideValues } from "../../../ui/guide/fill-guide.ts";
import { locationText } from "../location-text.ts";

/** A game server as cards and its own page show it. One that is inactive or in maintenance has no address: nobody can join it. */
export type ShownServer = ReturnType<typeof showServer>;

/** Chooses the fields that a page shows. */
export function showServer(server: GameServer) {
  const host = joinableHost(server);
  return {
    server_id: server.server_id,
    name: server.server_name,
    description: server.description ? localText(server.description) : null,
    flavour: server.flavour,
    mods: server.mods,
    locations: server.server_locations.map(locationText),
    host,
    /** Whether it has an address at all. */
    announced: server.host !== null,
    port: server.game_port,
    address: formatAddress(host, server.game_port),
    join_href: joinHref(server.join_link, host, server.game_port),
    links: server.links.map(({ name, label, url }) => ({ name, label: localText(label), url })),
    // Before the first measurement there is no live row to take them from.
    version: server.version,
    max: server.user_max,
    lifecycle: server.lifecycle,
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

/** The ports of those that can be joined. */
export const portsOf = (servers: Pick<ShownServer, "host" | "port">[]): number[] =>
  servers.flatMap(({ host, port }) => (host !== null && port !== null ? [port] : []));

/**
 * What a guide is filled from: the record, the version and maximum as measured, and the ports of all game servers of the
 * game. Without a game server: nothing.
 */
export function guideValues(server: ShownServer | undefined, row: LiveRow | undefined, ports: number[]): GuideValues {
  return {
    address: server?.address ?? null,
    host: server?.host ?? null,
    port: server?.host ? server.port : null,
    version: row?.version ?? server?.version ?? null,
    name: server?.name ?? "",
    max: row?.user_max ?? server?.max ?? null,
    ports,
    links: server?.links ?? [],
  };
}

/** The status to show where no live row has arrived: what the admin says, else unknown. */
export function shownStatus(server: Pick<ShownServer, "lifecycle">, row: LiveRow | undefined): LiveRow["status"] {
  return row?.status ?? UNMEASURED[server.lifecycle];
}
