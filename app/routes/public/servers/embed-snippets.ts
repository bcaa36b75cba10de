// Builds the code for a game server's badge and widget on other sites; escapes hostile names.
import { escapeHtml } from "#shared/text/escape-html.ts";

const inHtml = (text: string) => escapeHtml(text).replace(/\s+/g, " ");

/** Escapes for a Markdown link text, where HTML works too. */
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
