// Builds live cards for Discord: the site, one game or one game server as visitors see it, within Discord's limits.
import { formatAddress, joinableHost } from "#shared/join-href.ts";
import type { LiveRow } from "#shared/live-row.ts";
import { addressIn, type Locale } from "#shared/locale.ts";
import { type ShownStatus, UNMEASURED } from "#shared/statuses.ts";
import { summarize } from "#shared/summary.ts";
import { agoOf, escapeText } from "./discord-text.ts";
import { type DiscordServer, type DiscordSite, shownServers } from "./site.ts";
import { TEXTS } from "./texts.ts";

/** Discord's limits: characters of an embed's title and description (https://docs.discord.com/developers/resources/message). */
const MOST_TITLE = 256;
const MOST_TEXT = 4096;

export type CardScope = { kind: "site" } | { kind: "game"; game_id: number } | { kind: "server"; server_id: number };

/** An embed in Discord's format. */
export type Embed = { title: string; url: string; description: string; color: number };

/** Prevents all mentions. */
export const NO_MENTIONS = { parse: [] } as const;

const SIGNS: Record<ShownStatus, string> = {
  online: "🟢",
  degraded: "🟡",
  offline: "🔴",
  unknown: "⚪",
  maintenance: "🔧",
  inactive: "💤",
};
const COLOURS = { up: 0x2e9e5b, some: 0xd9a21b, down: 0xd64545, quiet: 0x7a7f87 };

/** Created once: creation costs more than all its uses here. */
const NUMBERS = { en: new Intl.NumberFormat("en"), de: new Intl.NumberFormat("de") };

type Shown = ReturnType<typeof shownServers>[number];

/** Returns a card's embed, without its time: equal embeds show the same. Null: its subject is deleted, or not public. */
export function cardEmbed(site: DiscordSite, scope: CardScope, locale: Locale): Embed | null {
  const shown = shownServers(site);
  if (scope.kind === "server") {
    const one = shown.find(({ server }) => server.server_id === scope.server_id);
    return one ? serverEmbed(site, one, locale) : null;
  }
  if (scope.kind === "site") return listEmbed(site, shown, { title: site.settings.site_name, path: "/" }, locale);
  const game = site.games.find(({ game_id }) => game_id === scope.game_id);
  const own = shown.filter(({ server }) => server.game_slug === game?.game_slug);
  return game ? listEmbed(site, own, { title: game.game_name, path: `/games/${game.game_slug}` }, locale) : null;
}

/** Builds a card's message: the embed, and its time, which shows when a site has stopped. */
export function cardMessage(embed: Embed | null, locale: Locale, at: number): object {
  const text = TEXTS[locale];
  const as = text.asOf(agoOf(at));
  const shown = embed
    ? { ...embed, description: `${embed.description}\n\n${as}` }
    : { description: `${text.notShown}\n\n${as}`, color: COLOURS.quiet };
  return { content: "", embeds: [shown], allowed_mentions: NO_MENTIONS };
}

/** Reserved space at the end of a description. */
const ROOM_FOR_MOMENT = 80;

/** Lists totals and a line for each game server, as many as fit: if not all do, those with most players come first. */
export function listEmbed(
  site: DiscordSite,
  shown: Shown[],
  of: { title: string; path: string },
  locale: Locale,
): Embed {
  const text = TEXTS[locale];
  const number = NUMBERS[locale];
  const totals = summarize(shown.flatMap(({ row }) => row ?? []));
  const head = [
    ...(totals.playersKnown ? [text.players(number.format(totals.playersNow), totals.playersNow === 1)] : []),
    text.online(number.format(totals.serversOnline), number.format(shown.length)),
  ].join(" · ");
  const begun = [...delayedLine(site, locale), ...(shown.length === 0 ? [text.none] : [head, ""])];
  const room = MOST_TEXT - ROOM_FOR_MOMENT - begun.join("\n").length - 1;
  return {
    title: escapeText(of.title, MOST_TITLE / 2),
    url: site.site_url + addressIn(locale, of.path),
    description: [...begun, allLines(site, shown, room, locale) ?? busiestLines(site, shown, room, locale)]
      .join("\n")
      .trim(),
    color: colourOf(shown),
  };
}

/** Returns a line for each, in the site's order, by game; null if they don't fit. */
function allLines(site: DiscordSite, shown: Shown[], room: number, locale: Locale): string | null {
  const isMixed = shown.some(({ server }) => server.game_slug !== shown[0]?.server.game_slug);
  const lines: string[] = [];
  let size = 0;
  for (const [place, { server, row }] of shown.entries()) {
    const isFirst = isMixed && shown[place - 1]?.server.game_slug !== server.game_slug;
    const line = `${isFirst ? `**${escapeText(server.game_name, 60)}**\n` : ""}${serverLine(site, server, row, locale)}`;
    size += line.length + 1;
    if (size > room) return null;
    lines.push(line);
  }
  return lines.join("\n");
}

function busiestLines(site: DiscordSite, shown: Shown[], room: number, locale: Locale): string {
  const order = shown.toSorted((a, b) => rankOf(b.row) - rankOf(a.row));
  const rest = (n: number) =>
    TEXTS[locale].more(
      NUMBERS[locale].format(n),
      `[${escapeText(site.settings.site_name, 60)}](${site.site_url}${addressIn(locale, "/")})`,
    );
  const left = room - rest(shown.length).length - 1;
  const kept: string[] = [];
  let size = 0;
  for (const { server, row } of order) {
    const line = serverLine(site, server, row, locale);
    if (size + line.length + 1 > left) break;
    kept.push(line);
    size += line.length + 1;
  }
  return [...kept, rest(shown.length - kept.length)].join("\n");
}

/** Ranks by players, then online servers first. */
const rankOf = (row: LiveRow | undefined): number =>
  (row?.user_online ?? 0) * 2 + (row?.status === "online" || row?.status === "degraded" ? 1 : 0);

const statusOf = (server: DiscordServer, row: LiveRow | undefined): ShownStatus =>
  row?.status ?? UNMEASURED[server.lifecycle];

function serverLine(site: DiscordSite, server: DiscordServer, row: LiveRow | undefined, locale: Locale): string {
  const status = statusOf(server, row);
  const name = `[${escapeText(server.server_name, 80)}](${wayTo(site, server, locale)})`;
  return [`${SIGNS[status]} ${name}`, ...stateOf(row, status, locale)].join(" · ");
}

/** Returns the https page with the link that opens the game: Discord blocks game links. */
const wayTo = (site: DiscordSite, server: DiscordServer, locale: Locale): string =>
  site.site_url + addressIn(locale, `/${joinableHost(server) ? "join" : "servers"}/${server.server_id}`);

/** Describes its state briefly: players if online, else how long it has been down. */
function stateOf(row: LiveRow | undefined, status: ShownStatus, locale: Locale): string[] {
  const text = TEXTS[locale];
  const since = row?.status_since && status === "offline" ? [text.wentDown(agoOf(Date.parse(row.status_since)))] : [];
  if (status !== "online" && status !== "degraded") return [text.status[status], ...since];
  const players = countOf(row, locale);
  const word = status === "degraded" || players === null ? [text.status[status]] : [];
  return [...word, ...(players === null ? [] : [players]), ...(row?.map ? [escapeText(row.map, 40)] : [])];
}

function countOf(row: LiveRow | undefined, locale: Locale): string | null {
  if (row === undefined || row.user_online === null) return null;
  const number = NUMBERS[locale];
  const online = number.format(row.user_online);
  return row.user_max === null ? online : TEXTS[locale].of(online, number.format(row.user_max));
}

/** Describes one game server for players. */
export function serverEmbed(site: DiscordSite, { server, row }: Shown, locale: Locale): Embed {
  const text = TEXTS[locale];
  const status = statusOf(server, row);
  const players = countOf(row, locale);
  const one = row?.user_online === 1 && row.user_max === null;
  const address = formatAddress(joinableHost(server), server.game_port);
  const fact = (label: string, value: string | null | undefined) =>
    value ? [`${label}: ${escapeText(value, 80)}`] : [];
  return {
    title: escapeText(server.server_name, MOST_TITLE / 2),
    url: `${site.site_url}${addressIn(locale, `/servers/${server.server_id}`)}`,
    description: [
      ...delayedLine(site, locale),
      [
        `${SIGNS[status]} **${text.status[status]}**`,
        ...(row?.status_since && status !== "unknown" ? [text.changed(agoOf(Date.parse(row.status_since)))] : []),
        ...(players === null ? [] : [text.players(players, one)]),
      ].join(" · "),
      "",
      ...fact(text.game, server.game_name),
      ...fact(text.map, row?.map),
      ...fact(text.version, row?.version),
      ...(address === null ? [] : [`${text.address}: \`${address.replaceAll("`", "")}\``]),
      ...(address === null ? [] : [`**[${text.join}](${wayTo(site, server, locale)})**`]),
    ].join("\n"),
    color: colourOf([{ server, row }]),
  };
}

const delayedLine = ({ delayed_since }: DiscordSite, locale: Locale): string[] =>
  delayed_since === null ? [] : [TEXTS[locale].delayed(agoOf(Date.parse(delayed_since))), ""];

/** Picks the colour: all, some or none of the servers are online. */
function colourOf(shown: Shown[]): number {
  const states = shown
    .map(({ server, row }) => statusOf(server, row))
    .filter((status) => status !== "maintenance" && status !== "inactive" && status !== "unknown");
  if (states.length === 0) return COLOURS.quiet;
  const up = states.filter((status) => status !== "offline").length;
  return up === states.length ? COLOURS.up : up > 0 ? COLOURS.some : COLOURS.down;
}
