// Lists the shipped pictures: widths and formats of each, under their hashed addresses.

import type { PictureFiles } from "./ui/picture/picture-frame.tsx";

/** Entry of content/pictures/made/pictures.json. Sizes in px; `placeholder` is a tiny data: address. */
type Made = {
  slug: string;
  width: number;
  height: number;
  widths: number[];
  placeholder: string;
};

const lists = import.meta.glob<Record<string, Made>>("../content/pictures/made/pictures.json", {
  eager: true,
  import: "default",
});
const files = import.meta.glob<string>("../content/pictures/made/*.{avif,webp}", {
  eager: true,
  query: "?url",
  import: "default",
});
const pictures: Record<string, Made> = Object.assign({}, ...Object.values(lists));

const address = (name: string, width: number, format: "avif" | "webp") =>
  files[`../content/pictures/made/${name}-${width}.${format}`];

function srcset(made: Made, format: "avif" | "webp"): string {
  return made.widths
    .map((width) => [address(made.slug, width, format), `${width}w`])
    .filter(([file]) => file)
    .map((pair) => pair.join(" "))
    .join(", ");
}

const found = new Map<string, PictureFiles>();

/** Returns the sources of a picture by name; null if it isn't shipped. */
export function findPicture(name: string): PictureFiles | null {
  const made = pictures[name];
  if (!made) return null;
  const known = found.get(name) ?? sourcesOf(made);
  found.set(name, known);
  return known;
}

function sourcesOf(made: Made): PictureFiles {
  const middle = made.widths[Math.floor(made.widths.length / 2)] ?? made.width;
  return {
    width: made.width,
    height: made.height,
    avif: srcset(made, "avif"),
    webp: srcset(made, "webp"),
    fallback: address(made.slug, middle, "webp") ?? "",
    placeholder: made.placeholder,
  };
}

/** Returns the address of a picture's smallest width; null if it isn't shipped. */
export function findThumb(name: string): string | null {
  const made = pictures[name];
  return made ? (address(name, Math.min(...made.widths), "webp") ?? null) : null;
}
