// What of a row or of totals is new: the fields that changed, and null for one that is gone.
/** The fields of `now` that `before` has otherwise; all of them where there was none. */
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
