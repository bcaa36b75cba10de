/** Defines the kinds of plans and incidents, for the database, the forms and the pages. */

/** `restart`: it is back within its minutes; `maintenance`: it is worked on. */
export const PLAN_KINDS = ["restart", "maintenance"] as const;
export type PlanKind = (typeof PLAN_KINDS)[number];

/** How often a plan repeats. */
export const REPEATS = ["none", "daily", "weekly"] as const;
export type Repeats = (typeof REPEATS)[number];

/** The subject of an incident. */
export const INCIDENT_ABOUTS = ["site", "game", "servers"] as const;

/** The longest duration of a plan, in minutes: shorter than the time to its next. */
export const LONGEST_PLAN_MINUTES: Record<Repeats, number> = { none: 10_080, daily: 1_380, weekly: 9_900 };

/** How long before its start pages announce a plan, in ms. */
export const ANNOUNCED_BEFORE_MS = 24 * 3_600_000;

/** How long before its start followers are notified, in ms. */
export const TOLD_BEFORE_MS = 10 * 60_000;

/** The maximum lengths of an incident's texts, and number of its updates: for its shapes and its forms. */
export const INCIDENT_LIMITS = { title: 80, text: 1_000, updates: 100 };
