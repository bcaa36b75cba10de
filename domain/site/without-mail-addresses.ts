// Removes mail addresses from texts of mail servers, databases and errors: readers of the site's state may not see personal data.

/** Replaces each email address in a text with "…". */
export const withoutMailAddresses = (text: string): string =>
  text.replace(/[^\s<>"'(),;:[\]]+/g, (word) => (/.@./.test(word) ? "…" : word));
