// Makes the widget: a game server on other sites, as a small page in a frame. It requests no cookie, stores nothing, and
// contains one script, which refreshes it.
import { createHash } from "node:crypto";
import { html, raw } from "hono/html";
import type { Locale } from "#shared/locale.ts";
import { message } from "../messages.ts";
import { BADGE_THEMES, type BadgeTexts, type BadgeTheme } from "./badge.ts";

export type WidgetTexts = BadgeTexts & {
  game: string;
  /** The address to type; null: there is none. */
  address: string | null;
  join: string | null;
  site: string;
  page: string;
};

function colours(theme: BadgeTheme): string {
  const { ground, field, ink, quiet, tones } = BADGE_THEMES[theme];
  const names = {
    ground,
    field,
    ink,
    quiet,
    ...Object.fromEntries(Object.entries(tones).map(([k, v]) => [`t-${k}`, v])),
  };
  return Object.entries(names)
    .map(([name, value]) => `--${name}:${value}`)
    .join(";");
}

// Everything fits in the 170 px of the snippet, at any width from 200: below 320 the game's name is hidden, and Join is
// beside the link to the site instead of beside the address.
const STYLE = `:root{color-scheme:dark;${colours("dark")}}:root[data-theme=light]{color-scheme:light;${colours("light")}}
@media(prefers-color-scheme:light){:root[data-theme=auto]{color-scheme:light;${colours("light")}}}
*{box-sizing:border-box;margin:0}html{background:transparent}body{font:15px/1.35 system-ui,sans-serif;color:var(--ink)}
main{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:2px 12px;min-height:100vh;align-content:center;align-items:center;padding:10px 16px;background:var(--ground);border-radius:12px;overflow:hidden}
main>*{grid-column:1/-1}
h1{font-size:17px;line-height:1.25;overflow-wrap:anywhere;display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical;overflow:hidden}
a{color:inherit}.quiet{color:var(--quiet);font-size:13px}.row{display:flex;flex-wrap:wrap;align-items:center;gap:0 12px}
.sign{display:inline-flex;align-items:center;gap:6px;font-weight:600}.sign svg{width:18px;height:18px;stroke:currentColor;stroke-width:1.5;stroke-linecap:round;stroke-linejoin:round;fill:none}
${Object.keys(BADGE_THEMES.dark.tones)
  .map((tone) => `.${tone} svg{color:var(--t-${tone})}`)
  .join("")}
code{display:inline-block;font:12px/1.35 ui-monospace,monospace;background:var(--field);padding:3px 6px;border-radius:6px;overflow-wrap:anywhere;user-select:all}
.address{grid-column:1}.address:not(:has(+.join)){grid-column:1/-1}
.join{grid-column:2;background:#FF8000;color:#000;font-weight:600;padding:4px 12px;border-radius:8px;text-decoration:none}
.site{white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
@media(max-width:319px){main{grid-template-columns:auto minmax(0,1fr);padding:8px 12px}.game{display:none}.address{grid-column:1/-1}.join{grid-column:1;margin-top:2px}.join+.site{grid-column:2}}
:focus-visible{outline:2px solid currentColor;outline-offset:2px}`;

/** Permits the page its own style, its own script, requests for itself, and any site's frame. */
export const WIDGET_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "script-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors *",
].join("; ");

/** Makes the page. Escapes all texts. */
export async function widgetPage(texts: WidgetTexts, locale: Locale, theme: BadgeTheme | "auto"): Promise<string> {
  const { name: server, site } = texts;
  const away = { target: "_blank", rel: "noopener" };
  return String(
    await html`<!doctype html>
<html lang="${locale}" data-theme="${theme}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${texts.name} – ${texts.site}</title><style>${raw(STYLE)}</style><script src="/widget.js" defer></script></head>
<body><main><h1>${texts.name}</h1>
<p class="row"><span class="sign ${texts.tone}"><svg viewBox="0 0 16 16" aria-hidden="true">${raw(texts.shape)}</svg>${texts.status}</span>${texts.count === null ? "" : html`<span>${texts.count} <span class="quiet">${message(locale, "players_now_after")}</span></span>`}</p>
${texts.address === null ? "" : html`<p class="address"><code>${texts.address}</code></p>${texts.join === null ? "" : html`<a class="join" href="${texts.join}" target="${away.target}" rel="${away.rel}">${message(locale, "join")}</a>`}`}
<p class="quiet site"><span class="game">${texts.game} · </span><a href="${texts.page}" target="${away.target}" rel="${away.rel}" aria-label="${message(locale, "widget_page_label", { server, site })}">${message(locale, "widget_on", { site })}</a></p></main></body></html>`,
  );
}
