/** What some games tell in the keywords of their A2S replies, because the place meant for it is too small or always wrong. */

/** Rust's app id on Steam. */
const RUST = 252_490;
const ONE_BYTE = 256;

/** Only a number of five digits at most is read, the word before it alone: `cp312`, not `cp-3` or `cpvp`. */
const COUNTS = { cp: /(?:^|[,;])cp(\d+)(?=$|[,;])/g, mp: /(?:^|[,;])mp(\d+)(?=$|[,;])/g } as const;
const MOST_DIGITS = 5;

/**
 * The players (`cp`) or the maximum (`mp`): A2S has one byte for each, which ends at 255 or begins again at 0, so that games
 * with more slots say it in a keyword as well. Rust's keyword is right always (its byte lags behind), that of any other
 * game where `byte` is what is left of it. Two that contradict each other, or one too long, are none.
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

/** Valheim always says version 1.0.0.0; the true one is in its keywords, as `0.203.11` or `g=0.220.5,n=34,m=…`. */
export function valheimVersionIn(keywords: string): string | null {
  return /^(?:g=)?(\d[\w.]*)/.exec(keywords)?.[1] ?? null;
}
