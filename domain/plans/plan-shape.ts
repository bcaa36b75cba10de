// Validates a plan from a form, and converts it to columns.
import { z } from "zod";
import type { plans } from "#db/schema/index.ts";
import { fieldError } from "#shared/field-error-codes.ts";
import { LONGEST_PLAN_MINUTES, PLAN_KINDS, REPEATS } from "#shared/plans.ts";
import { filledLine, filledNumber, line } from "../form-text.ts";
import { localText } from "../local-text.ts";
import { isLocalTime, isTimeZone, nextOccurrences } from "./occurrences.ts";

export const PLAN_TITLE_MAX = 80;

/** The subject of a plan as a form's choice: `site`, `game-3` or `server-12`. */
const about = z
  .string()
  .regex(/^(?:site|(?:game|server)-[1-9]\d{0,8})$/, fieldError("no_choice"))
  .transform((text) => {
    const id = Number(text.split("-")[1]);
    return {
      game_id: text.startsWith("game-") ? id : null,
      server_id: text.startsWith("server-") ? id : null,
    };
  });

/** A plan as a form sends it: every field as text. Errors: `missing`, `too_long`, `number`, `no_choice`, `no_moment`, `past`. */
export const planShape = (now: number) =>
  z
    .object({
      kind: z.enum(PLAN_KINDS, fieldError("no_choice")),
      about,
      title_en: line(PLAN_TITLE_MAX),
      title_de: line(PLAN_TITLE_MAX),
      first_local: filledLine(16).refine(isLocalTime, fieldError("no_moment")),
      time_zone: z.string().refine(isTimeZone, fieldError("no_choice")),
      repeats: z.enum(REPEATS, fieldError("no_choice")),
      minutes: filledNumber(1, LONGEST_PLAN_MINUTES.none),
    })
    .superRefine((given, context) => {
      const fault = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
      // A plan longer than its interval would never end.
      if (given.minutes > LONGEST_PLAN_MINUTES[given.repeats]) fault("minutes", fieldError("too_many"));
      else if (nextOccurrences(given, now, 1).length === 0) fault("first_local", fieldError("past"));
    })
    .transform(({ about, title_en, title_de, ...given }) => ({
      ...given,
      ...about,
      title: title_en || title_de ? localText(title_en || title_de, title_de) : null,
    }));

export type PlanFields = z.output<ReturnType<typeof planShape>>;

/** The fields of a form. */
export const PLAN_FIELDS = [
  "kind",
  "about",
  "title_en",
  "title_de",
  "first_local",
  "time_zone",
  "repeats",
  "minutes",
] as const;

export type PlanTexts = Record<(typeof PLAN_FIELDS)[number], string>;

/** Converts a stored plan to a form's fields. */
export const planTexts = (plan: typeof plans.$inferSelect): PlanTexts => ({
  kind: plan.kind,
  about: plan.server_id !== null ? `server-${plan.server_id}` : plan.game_id !== null ? `game-${plan.game_id}` : "site",
  title_en: plan.title?.en ?? "",
  title_de: plan.title?.de ?? "",
  first_local: plan.first_local,
  time_zone: plan.time_zone,
  repeats: plan.repeats,
  minutes: String(plan.minutes),
});
