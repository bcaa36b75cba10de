// What a link to a page shows where people share it: title, sentence and picture (Open Graph, which X reads too).
import type { MetaDescriptor } from "react-router";
import type { Thing } from "./structured-data.ts";

/** A picture of 1200 × 630 px; `alt` says what it shows. */
export type SharePicture = { url: string; alt: string };

/** A page's tags: those that its frame does not know. `thing` goes along as JSON-LD. */
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

/** The tags of a picture alone. */
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
