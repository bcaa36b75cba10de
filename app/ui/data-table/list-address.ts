// Builds the address of a list with changed parameters.

/** Returns the query with `changes`; null or "" removes one. As a link it stays on the same path. */
export function addressWith(search: string, changes: Record<string, string | null>): string {
  const params = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes)) {
    if (value) params.set(name, value);
    else params.delete(name);
  }
  return `?${params}`;
}
