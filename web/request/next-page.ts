// Chooses the page after signing in: the one that required it, if it is on this site.

/**
 * The address in ?next=, or the home page. Only a path of this site counts: one slash, no backslash, nothing that a
 * browser would skip on its way to another host, and neither of the pages that lead here.
 */
export function nextPage(next: string | null, home = "/"): string {
  if (!next || next.length > 500 || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(next)) return home;
  const { origin, pathname, search, hash } = new URL(next, "http://site.invalid");
  if (origin !== "http://site.invalid" || pathname.startsWith("//")) return home;
  if (/^(?:\/de)?\/(?:login|logout|two-factor|sign-in-code|user\/reauthenticate)(?:\/|\.data|$)/i.test(pathname))
    return home;
  return pathname + search + hash;
}
