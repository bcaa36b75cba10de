// Compares names of players: hiding a name hides it in every spelling.

/** Normalises a name for comparison: ignores case, width, composition and surrounding blanks. */
export const playerNameKey = (name: string): string => name.normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase();
