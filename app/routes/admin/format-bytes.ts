// Formats sizes for the admin area. Not in language.ts, which every visitor's page loads.
import { getLocale } from "../../paraglide/runtime.js";

/** Formats bytes: 340 kB, 1.2 GB. */
export function formatBytes(count: number): string {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, count)) / 3));
  return new Intl.NumberFormat(getLocale(), {
    style: "unit",
    unit: units[step] ?? "byte",
    unitDisplay: "short",
    maximumFractionDigits: step > 2 ? 1 : 0,
  }).format(count / 1000 ** step);
}
