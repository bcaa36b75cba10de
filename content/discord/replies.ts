// Answers the slash commands, from public data only.
import { addressIn, type Locale } from "#shared/locale.ts";
import { type Embed, listEmbed, NO_MENTIONS, serverEmbed } from "./card.ts";
import { escapeText, plainText } from "./discord-text.ts";
import { type DiscordSite, shownServers } from "./site.ts";
import { TEXTS } from "./texts.ts";

/** A command with its typed options. */
export type AskedCommand = { name: string; options: Record<string, string | boolean> };

/** Types of an interaction's answer (https://docs.discord.com/developers/interactions/receiving-and-responding). */
const MESSAGE = 4;
const CHOICES = 8;
/** Visible only to the caller. */
const EPHEMERAL = 64;
const MOST_CHOICES = 25;
const CHOICE_LENGTH = 100;

type Shown = ReturnType<typeof shownServers>[number];

/** Answers a command: visible only to the caller, unless they choose otherwise. */
export function replyTo(asked: AskedCommand, site: DiscordSite, locale: Locale): object {
  const text = TEXTS[locale];
  const typed = String(asked.options.name ?? "");
  const flags = asked.options.show === true ? 0 : EPHEMERAL;
  if (asked.name === "servers") {
    const list = listEmbed(site, shownServers(site), { title: site.settings.site_name, path: "/" }, locale);
    return message({ embeds: [list], flags });
  }
  if (asked.name === "follow" && typed === "") {
    return message({ content: text.followSite, flags: EPHEMERAL }, linkTo(text.follow, site, locale, "/"));
  }
  if (asked.name !== "server" && asked.name !== "follow") {
    return message({ content: text.unknownCommand, flags: EPHEMERAL });
  }
  const found = findServers(site, typed);
  const [one, ...more] = found;
  if (!one) return message({ content: text.unknownServer, flags: EPHEMERAL });
  if (more.length > 0) {
    const names = found.slice(0, 10).map(({ server }) => `- ${escapeText(server.server_name)}`);
    return message({ content: [text.which, ...names].join("\n"), flags: EPHEMERAL });
  }
  const path = `/servers/${one.server.server_id}`;
  if (asked.name === "follow") {
    const content = text.followServer(escapeText(one.server.server_name));
    return message({ content, flags: EPHEMERAL }, linkTo(text.follow, site, locale, `${path}#tell-me`));
  }
  return message({ embeds: [serverEmbed(site, one, locale)], flags }, linkTo(text.page, site, locale, path));
}

/** Returns suggestions while a name is typed: names that begin with it, then those that contain it. */
export function choicesFor(typed: string, site: DiscordSite): object {
  const wanted = fold(typed);
  const found = shownServers(site)
    .map((shown) => ({ ...shown, at: wanted === "" ? 0 : placeIn(shown, wanted) }))
    .filter(({ at }) => at !== -1)
    .sort((a, b) => Math.min(a.at, 1) - Math.min(b.at, 1));
  const choices = found.slice(0, MOST_CHOICES).map(({ server }) => ({
    name: plainText(`${server.server_name} (${server.game_name})`, CHOICE_LENGTH),
    value: `#${server.server_id}`,
  }));
  return { type: CHOICES, data: { choices } };
}

const fold = (text: string): string => text.trim().toLowerCase();

function placeIn({ server }: Shown, wanted: string): number {
  const inName = fold(server.server_name).indexOf(wanted);
  return inName !== -1 ? inName : fold(server.game_name).includes(wanted) ? 1 : -1;
}

/** Finds by the chosen suggestion, the whole name, or a part of it. */
function findServers(site: DiscordSite, typed: string): Shown[] {
  const shown = shownServers(site);
  const id = /^#([1-9]\d{0,9})$/.exec(typed.trim())?.[1];
  const chosen = shown.filter(({ server }) => String(server.server_id) === id);
  if (chosen.length > 0) return chosen;
  const wanted = fold(typed);
  if (wanted === "") return [];
  const named = shown.filter(({ server }) => fold(server.server_name) === wanted);
  return named.length > 0 ? named : shown.filter(({ server }) => fold(server.server_name).includes(wanted));
}

function message(data: { content?: string; embeds?: Embed[]; flags: number }, button?: object): object {
  const components = button ? [{ type: 1, components: [button] }] : [];
  return { type: MESSAGE, data: { ...data, components, allowed_mentions: NO_MENTIONS } };
}

const linkTo = (label: string, site: DiscordSite, locale: Locale, path: string): object => ({
  type: 2,
  style: 5,
  label,
  url: site.site_url + addressIn(locale, path),
});
