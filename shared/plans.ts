/** What plans and incidents can be, as the database, the forms and the pages say it. */

/** `restart`: it is back within its minutes; `maintenance`: it is worked on. */
export const PLAN_KINDS = ["restart", "maintenance"] as const;
export type PlanKind = (typeof PLAN_KINDS)[number];

/** How often a plan takes place. */
export const REPEATS = ["none", "daily", "weekly"] as const;
export type Repeats = (typeof REPEATS)[number];

/** What an incident is about. */
export const INCIDENT_ABOUTS = ["site", "game", "servers"] as const;

/** How long one may take at most, in minutes: shorter than the time to its next. */
export const LONGEST_PLAN_MINUTES: Record<Repeats, number> = { none: 10_080, daily: 1_380, weekly: 9_900 };

/** So long before it begins do pages announce a plan, in ms. */
export const ANNOUNCED_BEFORE_MS = 24 * 3_600_000;

/** So long before it begins are followers told, in ms. */
export const TOLD_BEFORE_MS = 10 * 60_000;

/** How long the words of an incident may be, and how many updates it may have: for its shapes and its forms. */
export const INCIDENT_LIMITS = { title: 80, text: 1_000, updates: 100 };
