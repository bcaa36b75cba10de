// Compares rows or totals: the changed fields, and null for removed ones.
/** Gets the fields of `now` that differ from `before`; all of them without one. */
export function changedFields<Face extends object>(
  now: Face,
  before: Face | undefined,
): Partial<Record<keyof Face, unknown>> {
  if (!before) return now;
  const changed: Partial<Record<keyof Face, unknown>> = {};
  for (const name of Object.keys({ ...before, ...now }) as (keyof Face)[]) {
    const value = now[name] ?? null;
    const old = before[name] ?? null;
    if (value === old) continue;
    if (typeof value === "object" && JSON.stringify(value) === JSON.stringify(old)) continue;
    changed[name] = value;
  }
  return changed;
}
