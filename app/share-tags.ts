// Meta tags for the preview of a shared link: title, sentence and picture (Open Graph, which X reads too).
import type { MetaDescriptor } from "react-router";
import type { Thing } from "./structured-data.ts";

/** A picture of 1200 × 630 px; `alt` describes it. */
export type SharePicture = { url: string; alt: string };

/** Builds a page's tags, except those of its frame. `thing` is added as JSON-LD. */
export function shareTags(page: {
  title: string;
  description: string;
  picture: SharePicture;
  thing?: Thing;
}): MetaDescriptor[] {
  return [
    { title: page.title },
    { name: "description", content: page.description },
    { property: "og:title", content: page.title },
    { property: "og:description", content: page.description },
    ...pictureTags(page.picture),
    ...(page.thing ? [{ "script:ld+json": page.thing }] : []),
  ];
}

/** Builds the tags of a picture alone. */
export function pictureTags(picture: SharePicture): MetaDescriptor[] {
  return [
    { property: "og:image", content: picture.url },
    { property: "og:image:type", content: "image/jpeg" },
    { property: "og:image:width", content: "1200" },
    { property: "og:image:height", content: "630" },
    { property: "og:image:alt", content: picture.alt },
    { name: "twitter:card", content: "summary_large_image" },
  ];
}
