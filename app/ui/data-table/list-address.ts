// The address of a list with some of its wishes changed.

/** The search part with `changes` in place; null or "" takes one out. Stays on the same path as a link. */
export function addressWith(search: string, changes: Record<string, string | null>): string {
  const params = new URLSearchParams(search);
  params.delete("_routes");
  for (const [name, value] of Object.entries(changes)) {
    if (value) params.set(name, value);
    else params.delete(name);
  }
  return `?${params}`;
}
