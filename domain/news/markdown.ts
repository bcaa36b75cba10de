// Renders news from Markdown to safe HTML, on the server only. Two safeguards, each sufficient alone: the Markdown reader allows no
// HTML, no pictures and only https, mailto and site addresses; the output passes an allow-list (decision 045).
import MarkdownIt from "markdown-it";
import sanitizeHtml from "sanitize-html";
import { fitted } from "../form-text.ts";

const SUMMARY_SIGNS = 200;
const LOWEST_HEADING = 4;
/** A page of the site: a slash, and no second character that browsers read as the start of a host. */
const OWN_PAGE = /^\/(?![/\\])/;

const isGoodAddress = (address: string): boolean =>
  OWN_PAGE.test(address) || /^(?:https:\/\/[^/\\]|mailto:[^?&]+@)/i.test(address);

const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true, typographer: false, maxNesting: 20 })
  // News load nothing from elsewhere; a table has no room on a phone.
  .disable(["table"]);
markdown.validateLink = isGoodAddress;
// Words that only look like a host name ("start.sh") are no links.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
markdown.renderer.rules.image = (tokens, at) => markdown.utils.escapeHtml(tokens[at]?.content ?? "");

// The page's own heading is the first: headings of a text come after it without gaps (WCAG 1.3.1), whatever their marks.
markdown.core.ruler.push("headings", ({ tokens }) => {
  const headings = tokens.filter(({ type }) => type === "heading_open" || type === "heading_close");
  const used = [...new Set(headings.map(({ tag }) => tag))].sort();
  let before = 1;
  for (const heading of headings) {
    const level = Math.min(used.indexOf(heading.tag) + 2, before + 1, LOWEST_HEADING);
    if (heading.type === "heading_close") before = level;
    heading.tag = `h${level}`;
  }
});

const rules = (origin: string | null): sanitizeHtml.IOptions => ({
  allowedTags: [
    "h2",
    "h3",
    "h4",
    "p",
    "br",
    "strong",
    "em",
    "s",
    "a",
    "ul",
    "ol",
    "li",
    "blockquote",
    "pre",
    "code",
    "hr",
  ],
  allowedAttributes: { a: ["href", "rel"], ol: ["start"] },
  // A site at home may itself use http.
  allowedSchemes: ["https", "mailto", ...(origin?.startsWith("http:") ? ["http"] : [])],
  allowedSchemesAppliedToAttributes: ["href"],
  allowProtocolRelative: false,
  transformTags: {
    a: (tagName, { href = "" }) => {
      if (!isGoodAddress(href)) return { tagName: "none", attribs: {} };
      const attribs: Record<string, string> = OWN_PAGE.test(href)
        ? { href: origin === null ? href : new URL(href, origin).href }
        : { href, rel: "nofollow noopener noreferrer" };
      return { tagName, attribs };
    },
  },
});

/** Renders a text as HTML. `origin`: prefix of the site's addresses for readers elsewhere; null: they stay relative. */
export const renderNewsText = (text: string, origin: string | null = null): string =>
  sanitizeHtml(markdown.render(text), rules(origin)).trim();

/** Returns the beginning of a text as plain text on one line. */
export function summaryOf(text: string): string {
  const words = markdown
    .parse(text, {})
    .flatMap(({ type, content, children }) =>
      type === "inline"
        ? [(children ?? []).map((one) => (/break$/.test(one.type) ? " " : one.content)).join("")]
        : /^(?:fence|code_block)$/.test(type)
          ? [content]
          : [],
    )
    .join(" ")
    .replace(/\s+/g, " ")
    .trim();
  const beginning = fitted(words, SUMMARY_SIGNS);
  return beginning === words ? words : `${beginning.replace(/\s+\S*$/, "")} …`;
}
