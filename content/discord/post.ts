// Builds a post: a notification as a Discord message.
import { addressIn, type Locale } from "#shared/locale.ts";
import { type Embed, NO_MENTIONS } from "./card.ts";
import { escapeText } from "./discord-text.ts";

/** Colours by kind of event. */
const COLOURS = { good: 0x2e9e5b, bad: 0xd64545, plain: 0x7a7f87 };
const GOOD: ReadonlySet<string> = new Set([
  "server_up",
  "seat_free",
  "players_reached",
  "incident_closed",
  "site_trouble_over",
]);
const BAD: ReadonlySet<string> = new Set(["server_down", "incident_opened", "site_trouble"]);

/** `told`: plain text, and the page of the site to link; `kind`: of the event. */
export function postMessage(
  told: { title: string; body: string; path: string },
  { kind, siteUrl, siteName, locale }: { kind: string; siteUrl: string; siteName: string; locale: Locale },
): object {
  const embed: Embed & { footer: { text: string } } = {
    title: escapeText(told.title, 100),
    url: siteUrl + addressIn(locale, told.path),
    description: escapeText(told.body, 300),
    color: GOOD.has(kind) ? COLOURS.good : BAD.has(kind) ? COLOURS.bad : COLOURS.plain,
    // A footer has no Markdown.
    footer: { text: siteName.slice(0, 200) },
  };
  return { embeds: [embed], allowed_mentions: NO_MENTIONS };
}
