// The lines that put a game server's badge and widget into other pages; a hostile name stays a name in them.
import { escapeHtml } from "#shared/text/escape-html.ts";

const inHtml = (text: string) => escapeHtml(text).replace(/\s+/g, " ");

/** In the text of a link of Markdown, where HTML counts too. */
const inMarkdown = (text: string) => inHtml(text).replace(/[\\[\]()*_!|~`]/g, "\\$&");

/** `path`: of the game server's page, in its language. */
export function embedSnippets({ siteUrl, path, name }: { siteUrl: string; path: string; name: string }) {
  const page = siteUrl + path;
  return {
    markdown: `[![${inMarkdown(name)}](${page}/badge.svg)](${page})`,
    html: `<a href="${page}"><img src="${page}/badge.svg" alt="${inHtml(name)}" height="28"></a>`,
    widget: `<iframe src="${page}/widget" title="${inHtml(name)}" width="320" height="170" loading="lazy" style="border:0"></iframe>`,
  };
}
