/** Reads facts from the keywords of A2S replies, for games whose regular field is too small or always wrong. */

/** Rust's app id on Steam. */
const RUST = 252_490;
const ONE_BYTE = 256;

/** Only numbers of five digits at most count, directly after the word: `cp312`, not `cp-3` or `cpvp`. */
const COUNTS = { cp: /(?:^|[,;])cp(\d+)(?=$|[,;])/g, mp: /(?:^|[,;])mp(\d+)(?=$|[,;])/g } as const;
const MOST_DIGITS = 5;

/**
 * Reads the players (`cp`) or the maximum (`mp`): A2S has one byte for each, which stops at 255 or wraps to 0, so games with
 * more slots repeat it in a keyword. Rust's keyword is always right (its byte lags behind); another game's counts if `byte`
 * is its remainder. Two that contradict each other, or one too long, are ignored.
 */
export function countInKeywords(keywords: string, of: keyof typeof COUNTS, byte: number, appId: number): number {
  if (!keywords.includes(of)) return byte;
  const told = new Set(Array.from(keywords.matchAll(COUNTS[of]), ([, digits = ""]) => digits));
  const [digits] = told;
  if (digits === undefined || told.size > 1 || digits.length > MOST_DIGITS) return byte;
  const count = Number(digits);
  if (appId === RUST) return count;
  const isWhatIsLeft = byte === ONE_BYTE - 1 || count % ONE_BYTE === byte;
  return count >= ONE_BYTE && isWhatIsLeft ? count : byte;
}

/** Reads Valheim's version from its keywords, as `0.203.11` or `g=0.220.5,n=34,m=…`; its field is always 1.0.0.0. */
export function valheimVersionIn(keywords: string): string | null {
  return /^(?:g=)?(\d[\w.]*)/.exec(keywords)?.[1] ?? null;
}
