// Defines a game once: its fields and rules, how it is stored, and who may see what. Used by the admin's form, the public API and
// its document, pages and lists.
import { z } from "zod";
import type { games } from "#db/schema/index.ts";
import { fieldError } from "#shared/field-error-codes.ts";
import { filledLine, line, lines } from "../form-text.ts";
import { JOIN_LINK_LIMIT, joinLink } from "../join-link.ts";
import { localText, localTextShape } from "../local-text.ts";
import { namesSeenBy, type SeenBy } from "../visible-fields.ts";

export const GAME_LIMITS = { name: 80, acronym: 12, slug: 60, tagline: 160, description: 4000, link: JOIN_LINK_LIMIT };
/** Slugs below /games that are or may become other pages; a test compares them with the map. */
const RESERVED_SLUGS: ReadonlySet<string> = new Set([
  "skyrimtogether",
  "create",
  "edit",
  "new",
  "order",
  "search",
  "all",
]);

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** True if a game's page may use /games/<slug>. */
export const isFreeSlug = (slug: string): boolean => !RESERVED_SLUGS.has(slug);

/** Suggests a slug for a name: "Ark: Survival Évolved" gives "ark-survival-evolved". Never empty, never reserved. */
export function slugFrom(name: string): string {
  const slug = name
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/['’]/g, "")
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, GAME_LIMITS.slug - 8)
    .replace(/^-+|-+$/g, "");
  if (slug === "") return "game";
  return isFreeSlug(slug) ? slug : `${slug}-game`;
}

/** True if readers would see the same name: ignores case, spaces and forms of a letter. */
export const isSameName = (one: string, other: string): boolean => foldName(one) === foldName(other);
const foldName = (name: string) => name.normalize("NFKC").toLowerCase().replace(/\s+/g, "");

/**
 * The fields that an admin can set. Errors: `missing`, `too_long`, `no_slug`, `reserved`, `no_join_link`, `no_join_placeholder`.
 * Guide (guide.ts) and picture have pages of their own.
 */
export const gameFields = z.strictObject({
  game_name: filledLine(GAME_LIMITS.name),
  game_acronym: filledLine(GAME_LIMITS.acronym),
  game_slug: filledLine(GAME_LIMITS.slug)
    .refine((slug) => SLUG.test(slug), { error: fieldError("no_slug"), abort: true })
    .refine(isFreeSlug, fieldError("reserved")),
  tagline_en: line(GAME_LIMITS.tagline),
  tagline_de: line(GAME_LIMITS.tagline),
  description_en: lines(GAME_LIMITS.description),
  description_de: lines(GAME_LIMITS.description),
  join_link: joinLink.meta({ description: "What the join link of a new game server of this game begins as." }),
  published: z.boolean(),
});
export type GameFields = z.output<typeof gameFields>;

/** The fields of a new game; others are set later. */
export const newGameFields = gameFields.pick({ game_name: true, game_acronym: true });
export type NewGameFields = z.output<typeof newGameFields>;

type GameColumns = typeof games.$inferSelect;

/** Reads a game's fields from its row. */
export const gameFieldsOf = (game: GameColumns): GameFields => ({
  game_name: game.game_name,
  game_acronym: game.game_acronym,
  game_slug: game.game_slug,
  tagline_en: game.tagline.en,
  tagline_de: game.tagline.de ?? "",
  description_en: game.description.en,
  description_de: game.description.de ?? "",
  join_link: game.join_link ?? "",
  published: game.published,
});

/** Converts fields to columns. */
export const gameColumnsOf = ({
  tagline_en,
  tagline_de,
  description_en,
  description_de,
  join_link,
  ...as_stored
}: GameFields): Partial<GameColumns> => ({
  ...as_stored,
  tagline: localText(tagline_en, tagline_de),
  description: localText(description_en, description_de),
  join_link: join_link === "" ? null : join_link,
});

/** Who sees each column. A missing one doesn't compile. */
const SEEN_BY = {
  game_id: "visitors",
  game_name: "visitors",
  game_acronym: "visitors",
  game_slug: "visitors",
  tagline: "visitors",
  description: "visitors",
  guide: "pages",
  guide_boxes: "pages",
  picture: "pages",
  catalogue_id: "admins",
  join_link: "admins",
  banner: "pages",
  published: "admins",
  sort_order: "site",
  created_at: "site",
  updated_at: "site",
} as const satisfies Record<keyof GameColumns, SeenBy>;

/** Columns that pages may show of a published game. */
export const GAME_ON_PAGES = namesSeenBy(SEEN_BY, "visitors", "pages");

/** Columns in the public API; `gameAnswer` has their shapes. */
export const GAME_IN_API = namesSeenBy(SEEN_BY, "visitors");
export const gameAnswer = z.object({
  game_id: z.int().min(1),
  game_name: z.string(),
  game_acronym: z.string(),
  game_slug: z.string(),
  tagline: localTextShape,
  description: localTextShape,
} satisfies Record<(typeof GAME_IN_API)[number], z.ZodType>);

/** A row of the admin's list, in the admin area and in the API. */
export const gameRow = gameAnswer.pick({ game_id: true, game_name: true, game_acronym: true }).extend({
  published: z.boolean(),
  server_count: z.int().min(0),
});
export type GameRow = z.output<typeof gameRow>;
