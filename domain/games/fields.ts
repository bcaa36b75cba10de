// A game, described once: what an admin gives it and by which rules, how it is stored, and who may see which of it. The
// admin's form, the public API and its document, pages and lists read it from here.
import { z } from "zod";
import type { games } from "#db/schema/index.ts";
import { fieldError } from "#shared/field-error-codes.ts";
import { filledLine, line, lines } from "../form-text.ts";
import { JOIN_LINK_LIMIT, joinLink } from "../join-link.ts";
import { localText, localTextShape } from "../local-text.ts";
import { namesSeenBy, type SeenBy } from "../visible-fields.ts";

export const GAME_LIMITS = { name: 80, acronym: 12, slug: 60, tagline: 160, description: 4000, link: JOIN_LINK_LIMIT };
/** Addresses below /games that are or may become something else than a game's page; a test holds them to the map. */
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

/** Whether a game's page may stand at /games/<slug>. */
export const isFreeSlug = (slug: string): boolean => !RESERVED_SLUGS.has(slug);

/** The slug that a name suggests: "Ark: Survival Évolved" gives "ark-survival-evolved". Never empty, never reserved. */
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

/** Whether two games would be called the same by whoever reads them: case, spaces and forms of a letter do not count. */
export const isSameName = (one: string, other: string): boolean => foldName(one) === foldName(other);
const foldName = (name: string) => name.normalize("NFKC").toLowerCase().replace(/\s+/g, "");

/**
 * What an admin says of a game. Errors: `missing`, `too_long`, `no_slug`, `reserved`, `no_join_link`, `no_join_placeholder`. Its guide
 * (guide.ts) and its picture have pages of their own.
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

/** What a new one needs; the rest is said by a change. */
export const newGameFields = gameFields.pick({ game_name: true, game_acronym: true });
export type NewGameFields = z.output<typeof newGameFields>;

type GameColumns = typeof games.$inferSelect;

/** A game as its row says. */
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

/** The columns that its fields fill. */
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

/** Who sees each column. One that is not in here does not compile. */
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

/** What pages may show of a published game. */
export const GAME_ON_PAGES = namesSeenBy(SEEN_BY, "visitors", "pages");

/** What the public API tells of it: the names, which `gameAnswer` has the shapes of. */
export const GAME_IN_API = namesSeenBy(SEEN_BY, "visitors");
export const gameAnswer = z.object({
  game_id: z.int().min(1),
  game_name: z.string(),
  game_acronym: z.string(),
  game_slug: z.string(),
  tagline: localTextShape,
  description: localTextShape,
} satisfies Record<(typeof GAME_IN_API)[number], z.ZodType>);

/** The row of the admin's list, in the admin area and in the API. */
export const gameRow = gameAnswer.pick({ game_id: true, game_name: true, game_acronym: true }).extend({
  published: z.boolean(),
  server_count: z.int().min(0),
});
export type GameRow = z.output<typeof gameRow>;
