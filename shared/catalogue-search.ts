// Finds a game by typed text, the same on the server and in the browser: names, short names, nicknames.

export type SearchedGame = { name: string; acronym: string; aliases: readonly string[] };

/** Normalises a text for comparison: lower case, without accents and punctuation, single spaces between words. */
const fold = (text: string) =>
  text
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replace(/[\p{M}'’]/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

const joined = (folded: string) => folded.replaceAll(" ", "");

/** In shorter words a changed letter matches too many others. */
const LEAST_FORGIVEN = 4;
const LONGEST_QUERY = 80;

/** The texts that match one game. */
type Entry<Game> = { game: Game; texts: string[]; words: string[] };

/** The rank of a match, best first; if no whole text matches, the sum over the words of a query decides. */
const RANK = { same: 100, begins: 80, words: 40 } as const;
const WORD = { same: 10, begins: 8, within: 4, typo: 2 } as const;

/** Makes the search over some games; equal matches stay in the order of `games`. */
export function createCatalogueSearch<Game extends SearchedGame>(games: readonly Game[]) {
  const entries: Entry<Game>[] = games.map((game) => {
    const texts = [game.name, game.acronym, ...game.aliases].map(fold).filter((text) => text !== "");
    return { game, texts, words: [...new Set(texts.flatMap((text) => text.split(" ")))] };
  });
  /** Finds the games of a query, best first; without a query the first ones. Tolerates a typo of one letter. */
  return (query: string, limit = entries.length): Game[] => {
    const asked = fold(query.slice(0, LONGEST_QUERY));
    if (asked === "") return games.slice(0, limit);
    const found = entries.flatMap((entry, place) => {
      const score = scoreOf(entry, asked);
      return score > 0 ? [{ game: entry.game, place, score }] : [];
    });
    found.sort((a, b) => b.score - a.score || a.place - b.place);
    return found.slice(0, limit).map(({ game }) => game);
  };
}

function scoreOf({ texts, words }: Entry<unknown>, asked: string): number {
  const close = joined(asked);
  if (texts.some((text) => text === asked || joined(text) === close)) return RANK.same;
  if (texts.some((text) => text.startsWith(asked) || joined(text).startsWith(close))) return RANK.begins;
  let sum = 0;
  const each = asked.split(" ");
  for (const word of each) {
    const best = Math.max(...words.map((known) => fit(known, word)));
    if (best === 0) return 0;
    sum += best;
  }
  return (RANK.words * sum) / (each.length * WORD.same);
}

function fit(known: string, word: string): number {
  if (known === word) return WORD.same;
  if (known.startsWith(word)) return WORD.begins;
  if (word.length > 2 && known.includes(word)) return WORD.within;
  return word.length >= LEAST_FORGIVEN && isOneLetterOff(known, word) ? WORD.typo : 0;
}

/**
 * Checks whether a word, as far as typed, is the beginning of the known one except for one letter too many, too few, wrong,
 * or swapped with its neighbour.
 */
function isOneLetterOff(known: string, word: string): boolean {
  let place = 0;
  while (place < word.length && word[place] === known[place]) place += 1;
  const rest = (by: number) => word.slice(place + by);
  const isSwapped = word[place] === known[place + 1] && word[place + 1] === known[place];
  return (
    known.startsWith(rest(1), place + 1) ||
    known.startsWith(rest(1), place) ||
    known.startsWith(rest(0), place + 1) ||
    (isSwapped && known.startsWith(rest(2), place + 2))
  );
}
