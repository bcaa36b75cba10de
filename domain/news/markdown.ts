// The text of news, from Markdown to HTML that is safe to show: on the server alone. Two fences, each enough by itself: the
// Markdown reader takes no HTML, no pictures and no address but https, mailto and our own, and what comes out of it passes a
// list of what may be there (decision 045).
import MarkdownIt from "markdown-it";
import sanitizeHtml from "sanitize-html";
import { fitted } from "../form-text.ts";

const SUMMARY_SIGNS = 200;
const LOWEST_HEADING = 4;
/** A page of the site: a slash, and no second sign that browsers read as the begin of a host. */
const OWN_PAGE = /^\/(?![/\\])/;

const isGoodAddress = (address: string): boolean =>
  OWN_PAGE.test(address) || /^(?:https:\/\/[^/\\]|mailto:[^?&]+@)/i.test(address);

const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true, typographer: false, maxNesting: 20 })
  // Nothing loads from elsewhere when somebody reads news; a table has no room on a phone.
  .disable(["table"]);
markdown.validateLink = isGoodAddress;
// Words that only look like a name of a host ("start.sh") are no links.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
markdown.renderer.rules.image = (tokens, at) => markdown.utils.escapeHtml(tokens[at]?.content ?? "");

// The page's own heading is the first: those of a text come after it, and leave no step out (WCAG 1.3.1), whichever signs stand there.
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
  // A site at home may itself be at http.
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

/** A text as HTML. `origin`: in front of addresses of the site, for whoever reads it elsewhere; null: they stay as they are. */
export const renderNewsText = (text: string, origin: string | null = null): string =>
  sanitizeHtml(markdown.render(text), rules(origin)).trim();

/** The beginning of a text without its marks, on one line. */
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
