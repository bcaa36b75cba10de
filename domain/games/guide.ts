// A game's guide, "How to get started": what an admin may write, and how it is stored.
import { z } from "zod";
import type { GuideItem, games } from "#db/schema/index.ts";
import { fieldError } from "#shared/field-error-codes.ts";
import { filledLine, line, lines } from "../form-text.ts";
import { localText } from "../local-text.ts";

/** `items`: most items per list; `links`: most links per item. The others are lengths of texts. */
export const GUIDE_LIMITS = {
  items: { steps: 20, boxes: 6 },
  links: { steps: 3, boxes: 3 },
  title: 120,
  text: 600,
  label: 60,
  url: 300,
};

/** Placeholders of a guide; app/ui/guide/fill-guide.ts fills them. {link:name} is a link of the game server's record. */
export const GUIDE_PLACEHOLDERS = ["address", "host", "port", "ports", "version", "name", "max", "link:name"] as const;

/** The name of a game server's link. */
export const LINK_NAME = /^[a-z0-9][a-z0-9-]{0,29}$/;

/** True if a text uses only known placeholders: anything else in braces would be shown literally. */
export function hasKnownPlaceholders(text: string): boolean {
  return [...text.matchAll(/\{([^{}]*)\}/g)].every(([, name = ""]) =>
    name.startsWith("link:") ? LINK_NAME.test(name.slice(5)) : GUIDE_PLACEHOLDERS.some((known) => known === name),
  );
}

const guideText = <Shape extends z.ZodType<string>>(shape: Shape) =>
  shape.refine(hasKnownPlaceholders, fieldError("no_placeholder"));

/** True for an allowed guide link: https, with placeholders filled later, or one of the game server's links. */
function isGuideLink(url: string): boolean {
  if (url === "" || /^\{link:[^{}]*\}$/.test(url)) return true;
  return /^https:\/\/[^/]/.test(url) && URL.parse(url.replace(/\{[^{}]*\}/g, "x"))?.protocol === "https:";
}

/**
 * A link as the form sends it; without address and label it is dropped. Errors: `missing`, `too_long`, `no_https`,
 * `no_placeholder`.
 */
const linkShape = z
  .object({
    url: guideText(line(GUIDE_LIMITS.url).refine(isGuideLink, { error: fieldError("no_https"), abort: true })),
    label_en: guideText(line(GUIDE_LIMITS.label)),
    label_de: guideText(line(GUIDE_LIMITS.label)),
  })
  .refine(({ url, label_en }) => url === "" || label_en !== "", { error: fieldError("missing"), path: ["label_en"] })
  .refine(({ url, label_en, label_de }) => url !== "" || label_en + label_de === "", {
    error: fieldError("missing"),
    path: ["url"],
  });

/** The steps or boxes of a guide: both have a title, a text and links. Errors: those of links, `missing`, `too_many`. */
const guideListShape = (name: keyof typeof GUIDE_LIMITS.items) =>
  z
    .array(
      z.object({
        title_en: guideText(filledLine(GUIDE_LIMITS.title)),
        title_de: guideText(line(GUIDE_LIMITS.title)),
        text_en: guideText(lines(GUIDE_LIMITS.text)),
        text_de: guideText(lines(GUIDE_LIMITS.text)),
        links: z.array(linkShape).max(GUIDE_LIMITS.links[name], fieldError("too_many")),
      }),
    )
    .max(GUIDE_LIMITS.items[name], fieldError("too_many"));

/** The form of a guide: its steps, and the boxes beside them. */
export const guideShape = z.object({ steps: guideListShape("steps"), boxes: guideListShape("boxes") });
export type GuideForm = z.infer<typeof guideShape>;

/** Converts a guide to its form. */
export const guideFormOf = ({
  guide,
  guide_boxes,
}: Pick<typeof games.$inferSelect, "guide" | "guide_boxes">): GuideForm => ({
  steps: guide.map(itemFormOf),
  boxes: guide_boxes.map(itemFormOf),
});

const itemFormOf = ({ title, text, links = [] }: GuideItem): GuideForm["boxes"][number] => ({
  title_en: title.en,
  title_de: title.de ?? "",
  text_en: text?.en ?? "",
  text_de: text?.de ?? "",
  links: links.map(({ url, label }) => ({ url, label_en: label.en, label_de: label.de ?? "" })),
});

/** Converts a form to columns. Drops empty links. */
export const guideColumnsOf = ({ steps, boxes }: GuideForm) => ({
  guide: steps.map(itemOf),
  guide_boxes: boxes.map(itemOf),
});

function itemOf(item: GuideForm["boxes"][number]): GuideItem {
  const links = item.links
    .filter(({ url }) => url !== "")
    .map(({ url, label_en, label_de }) => ({ label: localText(label_en, label_de), url }));
  return {
    title: localText(item.title_en, item.title_de),
    ...((item.text_en || item.text_de) && { text: localText(item.text_en || item.text_de, item.text_de) }),
    ...(links.length > 0 && { links }),
  };
}
