// Makes the page that the service worker shows while the site is unreachable: it needs no further files.
import { createHash } from "node:crypto";
import type { Locale } from "#shared/locale.ts";
import { escapeHtml } from "#shared/text/escape-html.ts";
import { message } from "../messages.ts";

const STYLE = `:root{color-scheme:light dark;font:1.0625rem/1.5 system-ui,sans-serif;background:#f5f2ed;color:#1c1917}
@media (prefers-color-scheme:dark){:root{background:#0c0908;color:#f5f2ef}}
body{max-width:38rem;margin:0 auto;padding:min(14vh,7rem) 1.25rem 3rem}
h1{margin:0 0 .75rem;font-size:1.75rem;line-height:1.2;letter-spacing:-.01em;text-wrap:balance}
p{text-wrap:pretty}
ul{list-style:none;margin:2rem 0;padding:0}
li{display:flex;flex-wrap:wrap;gap:.25rem 1rem;justify-content:space-between;padding:.75rem 0;border-top:1px solid #8886}
code{font-size:1rem;user-select:all;overflow-wrap:anywhere}
a{color:inherit;overflow-wrap:anywhere}
.again{display:inline-block;padding:.75rem 1.5rem;border-radius:99rem;background:#ff8000;color:#000;font-weight:600;text-decoration:none}`;

/** Permits the page only its own style. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

export type OfflinePage = { html: string; policy: string };

/** Makes the page in a language, with the place for the addresses that the worker remembers. */
export function offlinePage(locale: Locale, siteName: string): OfflinePage {
  const text = (name: "offline_title" | "offline_text" | "offline_seen" | "offline_again") =>
    escapeHtml(message(locale, name, { site: siteName }));
  const html = `<!doctype html>
<html lang="${locale}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${text("offline_title")}</title>
<style>${STYLE}</style>
<h1>${text("offline_title")}</h1>
<p>${text("offline_text")}</p>
<ul aria-label="${text("offline_seen")}"><!--seen--></ul>
<a class="again" href="">${text("offline_again")}</a>
</html>
`;
  return { html, policy: POLICY };
}
