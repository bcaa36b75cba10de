// Fills the placeholders of a guide from the record of one game server, so that a step cannot go stale.
import { m } from "../../paraglide/messages.js";

/** What a guide can be filled from. Null is "nobody said": the step then says so in words. */
export type GuideValues = {
  address: string | null;
  host: string | null;
  port: number | null;
  version: string | null;
  name: string;
  max: number | null;
  download: string | null;
};

/** A step or box as it is stored, in one language. */
export type GuideText = { title: string; text?: string; links: { label: string; url: string }[] };

/** A piece of a filled text; `value` marks what came from the record, `at` is its place in the text before filling. */
export type Piece = { at: number; text: string; value: boolean };

/** A filled step or box. A link that must not be shown has no url: nobody gave one, or it is not https. */
export type FilledText = { title: Piece[]; text: Piece[]; links: { label: Piece[]; url: string | null }[] };

/** The words that stand for what is not known; each fits where the value would stand. */
const NOT_KNOWN: Record<keyof GuideValues, () => string> = {
  address: m.guide_no_address,
  host: m.guide_no_host,
  port: m.guide_no_port,
  version: m.guide_no_version,
  name: m.guide_no_name,
  max: m.guide_no_max,
  download: m.guide_no_download,
};

const PLACEHOLDER = /\{(address|host|port|version|name|max|download)\}/g;

// Values can come from a game server, which is a stranger: no control or direction-changing characters, and an end.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const LONGEST_VALUE = 200;

/** Splits a text at its placeholders and fills them, once: braces inside a value stay what they are. */
export function fillText(template: string, values: GuideValues): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of template.matchAll(PLACEHOLDER)) {
    if (match.index > end) pieces.push({ at: end, text: template.slice(end, match.index), value: false });
    const key = match[1] as keyof GuideValues;
    const value = clean(values[key]);
    pieces.push({ at: match.index, text: value === "" ? NOT_KNOWN[key]() : value, value: value !== "" });
    end = match.index + match[0].length;
  }
  if (end < template.length) pieces.push({ at: end, text: template.slice(end), value: false });
  return pieces;
}

/** A link's address: {download} as a whole is the record's, any other placeholder is encoded; null unless https. */
export function fillUrl(template: string, values: GuideValues): string | null {
  const missing = [...template.matchAll(PLACEHOLDER)].some(([, key]) => clean(values[key as keyof GuideValues]) === "");
  if (missing) return null;
  const filled =
    template === "{download}"
      ? (values.download ?? "")
      : template.replace(PLACEHOLDER, (_, key: keyof GuideValues) => encodeURIComponent(clean(values[key])));
  const url = URL.parse(filled);
  return url?.protocol === "https:" ? url.href : null;
}

/** A step or box with every placeholder filled. */
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
