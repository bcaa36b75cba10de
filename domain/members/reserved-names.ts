// Reserves names for staff: role names, the site's own name, and anything that looks like one of them.
import unhomoglyph from "unhomoglyph";

/** Refused as a separate word anywhere in a name: no one has it as a real name. */
const OFFICES = [
  ...["admin", "admins", "administrator", "administrators", "administration", "sysadmin", "superadmin", "webmaster"],
  ...["moderator", "moderators", "moderation"],
  ...["administratorin", "administratoren", "moderatorin", "moderatoren", "verwalter", "verwalterin", "verwaltung"],
  ...["админ", "администратор", "модератор"],
];
/** Refused as the whole name: within one they are words of games and people ("System Shock", "Team Rocket"). */
const ALONE = [
  ...["mod", "mods", "system", "support", "staff", "team", "root", "owner", "operator", "official", "security"],
  ...["helpdesk", "postmaster", "hostmaster", "noreply", "server", "crew"],
  ...["betreiber", "betreiberin", "inhaber", "inhaberin", "leitung", "offiziell", "sicherheit", "kundendienst"],
];
/** Long enough to be refused within any other word too. */
const ANYWHERE = ["administrator", "moderator"];

/** Characters that people read as a letter but Unicode's list of confusables leaves unchanged: small capitals, digits, signs. */
const READ_AS = new Map([
  ...Object.entries({ ᴀ: "a", ʙ: "b", ᴄ: "c", ᴅ: "d", ᴇ: "e", ꜰ: "f", ɢ: "g", ʜ: "h", ɪ: "i", ᴊ: "j", ᴋ: "k", ʟ: "l" }),
  ...Object.entries({ ᴍ: "m", ʍ: "m", ɴ: "n", ᴎ: "n", ᴏ: "o", ᴘ: "p", ʀ: "r", ꜱ: "s", ᴛ: "t", ᴜ: "u", ᴠ: "v", ᴡ: "w" }),
  ...Object.entries({ ʏ: "y", ᴢ: "z", ı: "i", ᗴ: "e", ɑ: "a" }),
  ...Object.entries({ "0": "o", "1": "l", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b", "9": "g" }),
  ...Object.entries({ "@": "a", $: "s", "!": "i", "|": "l", "€": "e", "₳": "a", "₦": "n", "₮": "t", "₱": "p" }),
  ...Object.entries({ "₩": "w", "¥": "y", "£": "l", "¢": "c", "®": "r", "©": "c", "†": "t" }),
]);
/** Starts of Unicode's pictured A to Z: black circles, black squares, and flag letters. */
const PICTURED = [0x1f150, 0x1f170, 0x1f1e6];

function readAs(sign: string): string {
  const code = sign.codePointAt(0) ?? 0;
  const start = PICTURED.find((first) => code >= first && code < first + 26);
  return start === undefined ? (READ_AS.get(sign) ?? sign) : String.fromCharCode(97 + code - start);
}

const bare = (text: string) => text.normalize("NFKD").replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, "");

/** Reduces a text to its look: Unicode's skeleton (TR 39), then our own signs; treats small i and l as one, m and rn too. */
function looksLike(text: string): string {
  const skeleton = bare(unhomoglyph(bare(text))).toLowerCase();
  const letters = Array.from(bare(unhomoglyph(skeleton)).toLowerCase(), readAs).join("");
  return unhomoglyph(letters).toLowerCase().replaceAll("i", "l");
}

/** Looks of a text as it is, in lower and in upper case: some signs look like a letter in only one case. */
const looksOf = (text: string): string[] => [text, text.toLowerCase(), text.toUpperCase()].map(looksLike);

const looks = (words: readonly string[]): ReadonlySet<string> => new Set(words.flatMap(looksOf));
const LOOKS = { offices: looks(OFFICES), alone: looks(ALONE), anywhere: looks(ANYWHERE) };

/** Word separators; signs that can be read as a letter are not among them. */
const BETWEEN = /[^\p{L}\p{N}\p{M}\p{S}@!†]+/u;
const AROUND = /^[^\p{L}]+|[^\p{L}]+$/gu;

/** Looks of a text with and without the digits and signs around it (`Admin1`, `★Admin★`). */
const both = (text: string): string[] => [...looksOf(text), ...looksOf(text.replace(AROUND, ""))];

/**
 * True for a name that is, or looks like, a staff name: a role ("Administrator", "Site Admin", "Аdmin" in Cyrillic), or the
 * site's own name, alone or with a role.
 */
export function isReservedName(name: string, siteName: string): boolean {
  const words = name
    .normalize("NFKC")
    .replace(/(\p{Ll})(?=\p{Lu})/gu, "$1 ")
    .split(BETWEEN);
  if (words.some((word) => both(word).some((look) => LOOKS.offices.has(look)))) return true;
  const whole = both(name.split(BETWEEN).join(""));
  if (whole.some((look) => LOOKS.offices.has(look) || LOOKS.alone.has(look))) return true;
  if (whole.some((look) => [...LOOKS.anywhere].some((office) => look.includes(office)))) return true;
  return looksOf(siteName.split(BETWEEN).join(""))
    .filter((site) => site.length > 2)
    .some((site) => whole.some((look) => isSites(look, site)));
}

/** True for the site's name, alone or with a role before or behind it. */
function isSites(look: string, site: string): boolean {
  if (look === site) return true;
  const rest = look.startsWith(site) ? look.slice(site.length) : look.endsWith(site) ? look.slice(0, -site.length) : "";
  return LOOKS.alone.has(rest) || LOOKS.offices.has(rest);
}
