// What a game may be called, and where its page may stand: the shapes of the admin's forms.
import { z } from "zod";
import { filledLine, line, lines } from "../form-text.ts";

export const GAME_LIMITS = { name: 80, acronym: 12, slug: 60, tagline: 160, description: 4000 };
/** `items`: how many a list may have; `links`: how many each of them may have. The others are lengths of texts. */
export const GUIDE_LIMITS = {
  items: { steps: 20, boxes: 6 },
  links: { steps: 3, boxes: 3 },
  title: 120,
  text: 600,
  label: 60,
  url: 300,
};

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

/** The form of a new game. Errors: `missing`, `too_long`. */
export const newGameShape = z.object({
  game_name: filledLine(GAME_LIMITS.name),
  game_acronym: filledLine(GAME_LIMITS.acronym),
});

/** The form of a game. Errors: those of a new one, `no_slug`, `reserved`. */
export const gameShape = newGameShape.extend({
  game_slug: filledLine(GAME_LIMITS.slug)
    .refine((slug) => SLUG.test(slug), { error: "no_slug", abort: true })
    .refine(isFreeSlug, "reserved"),
  tagline_en: line(GAME_LIMITS.tagline),
  tagline_de: line(GAME_LIMITS.tagline),
  description_en: lines(GAME_LIMITS.description),
  description_de: lines(GAME_LIMITS.description),
  published: z.boolean(),
});

export type NewGameForm = z.infer<typeof newGameShape>;
export type GameForm = z.infer<typeof gameShape>;

/** What a guide can be filled with; app/ui/guide/fill-guide.ts does it. {link:name} is a link of the game server's record. */
export const GUIDE_PLACEHOLDERS = ["address", "host", "port", "ports", "version", "name", "max", "link:name"] as const;

/** The name of a link of a game server. */
export const LINK_NAME = /^[a-z0-9][a-z0-9-]{0,29}$/;

/** Whether a text names only placeholders that there are: anything else in braces would be shown as it stands. */
export function hasKnownPlaceholders(text: string): boolean {
  return [...text.matchAll(/\{([^{}]*)\}/g)].every(([, name = ""]) =>
    name.startsWith("link:") ? LINK_NAME.test(name.slice(5)) : GUIDE_PLACEHOLDERS.some((known) => known === name),
  );
}

const guideText = <Shape extends z.ZodType<string>>(shape: Shape) =>
  shape.refine(hasKnownPlaceholders, "no_placeholder");

/** What a link of a guide may be: https, its placeholders filled later, or a link of the game server's own. */
function isGuideLink(url: string): boolean {
  if (url === "" || /^\{link:[^{}]*\}$/.test(url)) return true;
  return /^https:\/\/[^/]/.test(url) && URL.parse(url.replace(/\{[^{}]*\}/g, "x"))?.protocol === "https:";
}

/** A link as the form sends it; one without address and words is no link yet. Errors: `missing`, `too_long`, `no_https`, `no_placeholder`. */
const linkShape = z
  .object({
    url: guideText(line(GUIDE_LIMITS.url).refine(isGuideLink, { error: "no_https", abort: true })),
    label_en: guideText(line(GUIDE_LIMITS.label)),
    label_de: guideText(line(GUIDE_LIMITS.label)),
  })
  .refine(({ url, label_en }) => url === "" || label_en !== "", { error: "missing", path: ["label_en"] })
  .refine(({ url, label_en, label_de }) => url !== "" || label_en + label_de === "", {
    error: "missing",
    path: ["url"],
  });

/** The steps or the boxes of a guide: both have a title, a text and links. Errors: those of links, `missing`, `too_many`. */
const guideListShape = (name: keyof typeof GUIDE_LIMITS.items) =>
  z
    .array(
      z.object({
        title_en: guideText(filledLine(GUIDE_LIMITS.title)),
        title_de: guideText(line(GUIDE_LIMITS.title)),
        text_en: guideText(lines(GUIDE_LIMITS.text)),
        text_de: guideText(lines(GUIDE_LIMITS.text)),
        links: z.array(linkShape).max(GUIDE_LIMITS.links[name], "too_many"),
      }),
    )
    .max(GUIDE_LIMITS.items[name], "too_many");

/** The form of a guide: its steps, and the boxes beside them. */
export const guideShape = z.object({ steps: guideListShape("steps"), boxes: guideListShape("boxes") });
export type GuideForm = z.infer<typeof guideShape>;
