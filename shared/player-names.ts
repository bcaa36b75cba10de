// When two names of players are the same: whoever hides a name hides it however it is written.

/** A name as it is compared: without regard to case, width and composition, and to blanks around it. */
export const playerNameKey = (name: string): string => name.normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase();
