// Texts of mail servers, of databases and of errors name people; whoever may see the state of the site may not see those.

/** The text with each e-mail address in it replaced by "…". */
export const withoutMailAddresses = (text: string): string =>
  text.replace(/[^\s<>"'(),;:[\]]+/g, (word) => (/.@./.test(word) ? "…" : word));
