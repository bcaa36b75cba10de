// Fills the placeholders of a guide from a game server's record, so that steps stay current.
import { language } from "../../language.ts";
import { m } from "../../paraglide/messages.js";

/** Values of a guide. Null is unknown: the step then says so. */
export type GuideValues = {
  address: string | null;
  host: string | null;
  port: number | null;
  version: string | null;
  name: string;
  max: number | null;
  /** Of all the game's servers that can be joined. */
  ports: number[];
  /** In the reader's language, by name. */
  links: { name: string; label: string; url: string }[];
};

/** A stored step or box, in one language. */
export type GuideText = { title: string; text?: string; links: { label: string; url: string }[] };

/**
 * A piece of a filled text; `value` marks values of the record, `at` is its index in the template. `href` makes it a link: to the
 * record's address, or to where to ask for a missing one.
 */
export type Piece = { at: number; text: string; value: boolean; href?: string };

/** A filled step or box. A link without url must not be shown: it is missing, or not https. */
export type FilledText = { title: Piece[]; text: Piece[]; links: { label: Piece[]; url: string | null }[] };

type Key = Exclude<keyof GuideValues, "links">;

/** Texts for unknown values; each fits in the value's place. */
const NOT_KNOWN: Record<Key, () => string> = {
  address: m.guide_no_address,
  host: m.guide_no_host,
  port: m.guide_no_port,
  ports: m.guide_no_port,
  version: m.guide_no_version,
  name: m.guide_no_name,
  max: m.guide_no_max,
};

/** As domain/games/guide.ts allows. */
const PLACEHOLDER = /\{(?:(address|host|port|ports|version|name|max)|link:([a-z0-9][a-z0-9-]{0,29}))\}/g;

/** Where to ask for a missing link. */
const ASK = "/contact";

// Values can come from a foreign game server: removes control and direction-changing characters, and limits the length.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const LONGEST_VALUE = 200;

/** Fills the placeholders of a text, once: braces inside a value stay. */
export function fillText(template: string, values: GuideValues): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of template.matchAll(PLACEHOLDER)) {
    if (match.index > end) pieces.push({ at: end, text: template.slice(end, match.index), value: false });
    const [whole, key, link] = match;
    if (key === undefined) pieces.push({ at: match.index, ...linkPiece(link ?? "", values) });
    else {
      const value = recordText(key as Key, values);
      const filled = value === "" ? NOT_KNOWN[key as Key]() : value;
      pieces.push({ at: match.index, text: filled, value: value !== "" });
    }
    end = match.index + whole.length;
  }
  if (end < template.length) pieces.push({ at: end, text: template.slice(end), value: false });
  return pieces;
}

function linkPiece(name: string, values: GuideValues): Omit<Piece, "at"> {
  const href = recordLink(name, values);
  const label = clean(values.links.find((link) => link.name === name)?.label ?? "");
  if (href === null || label === "") return { text: m.guide_no_link(), value: false, href: ASK };
  return { text: label, value: true, href };
}

/** Fills a link's address: {link:name} alone is the record's, other placeholders are encoded; null unless https. */
export function fillUrl(template: string, values: GuideValues): string | null {
  const own = /^\{link:([a-z0-9-]+)\}$/.exec(template);
  if (own) return recordLink(own[1] ?? "", values);
  const filled = template.replace(PLACEHOLDER, (whole, key: Key | undefined) => {
    const value = key === undefined ? "" : recordText(key, values);
    return value === "" ? whole : encodeURIComponent(value);
  });
  // An unfilled address is invalid.
  return filled.match(PLACEHOLDER) ? null : httpsOnly(filled);
}

function recordLink(name: string, { links }: GuideValues): string | null {
  const url = links.find((link) => link.name === name)?.url ?? "";
  // In the demo its own pages are link targets; domain/game-servers/fields.ts allows no other path.
  return /^\/demo\/[a-z]+$/.test(url) ? url : httpsOnly(url);
}

function httpsOnly(text: string): string | null {
  const url = URL.parse(text);
  return url?.protocol === "https:" ? url.href : null;
}

function recordText(key: Key, values: GuideValues): string {
  if (key !== "ports") return clean(values[key]);
  const ports = [...new Set(values.ports)].sort((a, b) => a - b).map(String);
  return new Intl.ListFormat(language(), { type: "disjunction" }).format(ports);
}

/** Fills all placeholders of a step or box. */
export function fillGuide(guide: GuideText, values: GuideValues): FilledText {
  return {
    title: fillText(guide.title, values),
    text: fillText(guide.text ?? "", values),
    links: guide.links.map((link) => ({ label: fillText(link.label, values), url: fillUrl(link.url, values) })),
  };
}

function clean(value: string | number | null): string {
  return String(value ?? "")
    .replace(UNSEEN, "")
    .trim()
    .slice(0, LONGEST_VALUE);
}
