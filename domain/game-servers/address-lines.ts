// Finds addresses in pasted text, line by line (lists, chat messages, notes), with the name and password beside each. Only parses;
// the doctor decides whether an address may be queried.
import { isIPv6 } from "node:net";
import { readTypedAddress } from "./typed-address.ts";

/** Why a line has no usable address. */
export type UnreadReason = "no_address" | "port" | "web_page" | "too_long";

export type AddressLine = {
  /** As pasted, with the password masked. */
  typed: string;
} & (
  | { ok: true; host: string; port: number | null; name: string | null; password: string | null }
  | { ok: false; reason: UnreadReason }
);

/** Limits in characters: read from a line, stored of it, of a name and of a password. */
const LINE_LIMITS = { read: 1000, typed: 300, name: 80, password: 64 };

// Everything below parses untrusted text. Each repetition is bounded, or can begin at one place only, so that time grows linearly
// with a line's length (the test makes it four times as long).
const IPV4 = String.raw`\d{1,3}(?:\.\d{1,3}){3}`;
const IPV6 = String.raw`(?:[\da-f]{0,4}:){2,8}(?:[\da-f]{1,4}|${IPV4})?`;
/** Contains a dot; the last part begins with a letter, or it would be a number or a version. */
const NAME = String.raw`(?:[\p{L}\d_](?:[\p{L}\d_-]{0,61}[\p{L}\d_])?\.)+\p{L}[\p{L}\d-]{0,61}[\p{L}\d]`;
/** Without a dot it is a host only if a port follows at once. */
const BARE = String.raw`[\p{L}\d_][\p{L}\d_.-]{0,252}(?=:-?\d)`;
/** Spaces between an address and its port, as wide as a column of a table. */
const GAP = String.raw`\s{0,40}`;
/** After a colon; in the next column of a table; or after a space if it is as long as ports are, or labelled as one. */
const PORT = String.raw`(?::(?<tight>-?\d[\w-]*)|\s?:\s?(?<loose>\d{2,5})\b|${GAP}["'\x60]?${GAP}[,;|\t]${GAP}["'\x60]?(?<column>\d{4,5})\b|\s${GAP}(?:port${GAP}[:=]?${GAP})?(?<spaced>\d{4,5})\b|${GAP}[,;|(]?${GAP}port${GAP}[:=]?${GAP}(?<called>\d{1,6})\b)`;
const ADDRESS = new RegExp(
  String.raw`(?<![\p{L}\d_@.:-])(?:(?<scheme>[a-z][a-z\d+.-]{0,30}):\/\/(?:connect\/)?(?:[^\s@\/]{0,200}@)?)?` +
    String.raw`(?:\[(?=[^[\]\s:]{0,64}:)(?<boxed>[^[\]\s]{2,64})\]|(?<v4>${IPV4})(?![\d.]\d)|(?<v6>${IPV6})(?![\p{L}\d:])|(?<name>${NAME})(?![\p{L}\d_@-])\.?|(?<bare>${BARE}))` +
    String.raw`${PORT}?(?<path>\/[^\s)\]>"'\x60|]*)?`,
  "giu",
);
/** Words before a colon and a number that are no host. */
const NOT_A_HOST = /^(?:port|pw|pass\w*|players?|spieler|slots?|max|query|rcon|tick\w*|\d+)$/i;

const SKIPPED = /^\s*(?:#|\/\/|;|```)/;
const SAYS_SOMETHING = /[\p{L}\d]/u;
const UNSEEN = /(?!\t)[\p{Cc}\p{Cf}]/gu;
/** A link that starts a Steam game and connects. */
const STEAM_RUN = /steam:\/\/(?:run|rungameid)\/\d+\/*(?:\+connect\s*)?/gi;

const SECRET = String.raw`(?:"(?<double>[^"]+)"|'(?<single>[^']+)'|\x60(?<code>[^\x60]+)\x60|\|\|(?<spoiler>[^|]+)\|\||(?<plain>[^\s;,|)\]"'\x60]+))`;
/** Introduced by a colon, in console syntax, or in short; other matches are part of a sentence. */
const PASSWORD = new RegExp(
  String.raw`(?:(?<![\p{L}\d])(?:passwor[dt]|kennwort|passwd|pass|pwd?)\s*[:=]\s*|[;+]\s*password\s+|(?<![\p{L}\d])(?<!(?:no|kein|ohne|without)\s)pwd?\s+|(?<![\p{L}\d])passwor[dt]\s+(?=["'\x60|]))${SECRET}`,
  "iu",
);
const NO_PASSWORD = /^(?:none|no|nein|keins?|ohne|n\/a|[-–—]+)$/i;
const BLOT = "•••";

/** The lines with content; skips comments, empty lines and ornaments. */
export const linesOf = (text: string): string[] =>
  text.split(/\r\n|[\n\r\u2028\u2029]/).filter((line) => !SKIPPED.test(line) && SAYS_SOMETHING.test(line));

/** Parses one line; returns several results for several addresses. */
export function readAddressLine(line: string): AddressLine[] {
  const text = line.replace(UNSEEN, "").replace(STEAM_RUN, "").replaceAll("%20", " ").trim();
  const typed = clip(line.replace(UNSEEN, "").trim(), LINE_LIMITS.typed);
  if (text.length > LINE_LIMITS.read) return [{ typed, ok: false, reason: "too_long" }];
  const { rest, password } = takePassword(text);
  const found = [...rest.matchAll(ADDRESS)].filter(isAddress);
  const best = found.some(hasPort) ? found.filter(hasPort) : found.filter((one) => !isWebPage(one)).slice(0, 1);
  if (best.length === 0)
    return [{ typed: blot(typed, password), ok: false, reason: found[0] ? "web_page" : "no_address" }];
  return piecesOf(rest, best).map((piece, _, all) =>
    readPiece(piece, all.length > 1 ? null : typed, all.length > 1 ? null : password),
  );
}

type Found = RegExpExecArray;
type Piece = { before: string; address: Found; after: string };

const isAddress = ({ groups = {} }: Found): boolean => {
  if (groups.v6 !== undefined) return isIPv6(groups.v6) && /[\da-f]/i.test(groups.v6);
  return groups.bare === undefined || (SAYS_A_LETTER.test(groups.bare) && !NOT_A_HOST.test(groups.bare));
};
const SAYS_A_LETTER = /\p{L}/u;

const portOf = ({ groups = {} }: Found): string | undefined =>
  groups.tight ?? groups.loose ?? groups.column ?? groups.spaced ?? groups.called;
const hasPort = (one: Found): boolean => portOf(one) !== undefined;
const isWebPage = ({ groups = {} }: Found): boolean => /^https?$/i.test(groups.scheme ?? "");

/** Splits a line between its addresses: after each if names come first, otherwise before each. */
function piecesOf(text: string, found: Found[]): Piece[] {
  const endOf = (one: Found) => one.index + one[0].length;
  const namedBefore = nameIn(text.slice(0, found[0]?.index ?? 0)) !== null;
  return found.map((address, place) => {
    const previous = found[place - 1];
    const next = found[place + 1];
    return {
      before: place === 0 || namedBefore ? text.slice(previous ? endOf(previous) : 0, address.index) : "",
      address,
      after: next && namedBefore ? "" : text.slice(endOf(address), next?.index),
    };
  });
}

function readPiece({ before, address, after }: Piece, whole: string | null, given: string | null): AddressLine {
  const { boxed, v4, v6, name, bare, scheme = "", path = "" } = address.groups ?? {};
  const host = boxed ?? v4 ?? v6 ?? name ?? bare ?? "";
  const port = portOf(address);
  // Steam's connect link ends with the password.
  const inLink = scheme.toLowerCase() === "steam" ? path.replace(/^\/+|(?<!\/)\/+$/g, "") : "";
  const password = given ?? (inLink === "" ? null : inLink.slice(0, LINE_LIMITS.password));
  const typed = blot(clip(whole ?? `${before}${address[0]}${after}`.trim(), LINE_LIMITS.typed), password);
  const read = readTypedAddress(`${host.includes(":") ? `[${host}]` : host}${port === undefined ? "" : `:${port}`}`);
  if (!read.ok) return { typed, ok: false, reason: read.reason === "port" ? "port" : "no_address" };
  return { typed, ok: true, host: read.host, port: read.port, name: nameIn(before) ?? nameIn(after), password };
}

/** Extracts the password from a line, and the line without it. */
function takePassword(text: string): { rest: string; password: string | null } {
  const found = PASSWORD.exec(text);
  if (!found) return { rest: text, password: null };
  const { double, single, code, spoiler, plain } = found.groups ?? {};
  const told = (double ?? single ?? code ?? spoiler ?? plain ?? "").trim();
  // An address is no password: "pass: 192.0.2.1:27015" would leave nothing to query.
  if ([...told.matchAll(ADDRESS)].some(isAddress)) return { rest: text, password: null };
  const rest = `${text.slice(0, found.index)} ${text.slice(found.index + found[0].length)}`;
  return { rest, password: told === "" || NO_PASSWORD.test(told) ? null : told.slice(0, LINE_LIMITS.password) };
}

const blot = (text: string, password: string | null) => (password === null ? text : text.replaceAll(password, BLOT));
const clip = (text: string, most: number) => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);

/** List and chat marks, and labels before an address. */
const CHAT = /<a?:\w+:\d+>|<[@#][!&]?\d+>|(?<!\w):[a-z][a-z\d_+-]*:|\*\*|__|~~|\|\||`/gi;
const LIST_MARK = /^\s*(?:[-*•‣◦·–—>+]\s+|\d{1,3}[.)]\s+|\[[ x]?\]\s*)+/i;
const LABELS =
  /(?:^|[\s([{])(?:connect|(?:server\s?)?ip(?:[\s-]?adress?e?)?|(?:server)?address|adresse|host|query|(?:query|rcon|game)?\s?port\s*[:=]?\s*\d*)\s*[:=]?\s*$/i;
const ONLY_LABELS = /^(?:(?:our|unser)\s)?(?:server|join|beitreten)$/i;
const ENDS = /^[^\p{L}\d\p{Ps}]+|(?<![^\p{L}\d\p{Pe}!?.])[^\p{L}\d\p{Pe}!?.]+$/gu;
/** Labels and brackets removed around a name, one after the other. */
const MOST_LAYERS = 10;

/** Finds the name in the text beside an address; null when there is none. */
function nameIn(text: string): string | null {
  let name = text.replace(CHAT, " ").replace(LIST_MARK, "").replace(/\s+/g, " ").trim();
  for (let layer = 0, before = ""; before !== name && layer < MOST_LAYERS; layer += 1) {
    before = name;
    name = unwrapped(name.replace(ENDS, "")).replace(LABELS, "").replace(ONLY_LABELS, "").trim();
  }
  return SAYS_SOMETHING.test(name) ? [...name].slice(0, LINE_LIMITS.name).join("").trim() : null;
}

const PAIRS: Record<string, string> = { "(": ")", "[": "]", "{": "}" };

/** Drops a bracket whose counterpart is on the far side of the address. */
function unwrapped(name: string): string {
  for (const [open, close] of Object.entries(PAIRS)) {
    const isWhole = name.split(open).length === name.split(close).length;
    if (name.startsWith(open) && name.endsWith(close) && isWhole && !name.slice(1, -1).includes(open))
      return name.slice(1, -1);
    if (!isWhole && name.endsWith(open)) return name.slice(0, -1);
    if (!isWhole && name.startsWith(open)) return name.slice(1);
    if (!isWhole && (name.startsWith(close) || name.endsWith(close))) return name.replace(close, "");
  }
  return name;
}
