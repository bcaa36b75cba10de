// The picture of a game: the one that an admin uploaded, else the one of that name that the site ships with.
import { findPicture } from "./pictures.ts";
import type { PictureFiles } from "./ui/picture/picture-frame.tsx";

export type Uploaded = { id: string; width: number; height: number; widths: number[]; placeholder: string };

/** The files of a game's picture; null when it has none. */
export function gamePicture(game: {
  banner: Uploaded | null;
  picture: string | null;
  game_slug: string;
}): PictureFiles | null {
  return game.banner ? uploadedPicture(game.banner) : findPicture(game.picture ?? game.game_slug);
}

/** Where web/pages/media-endpoint.ts hands out the files of an uploaded picture. */
export function uploadedPicture({ id, width, height, widths, placeholder }: Uploaded): PictureFiles {
  const file = (each: number, format: string) => `/media/${id}-${each}.${format}`;
  const srcset = (format: string) => widths.map((each) => `${file(each, format)} ${each}w`).join(", ");
  const fallback = file(widths[Math.floor(widths.length / 2)] ?? width, "webp");
  return { width, height, avif: srcset("avif"), webp: srcset("webp"), fallback, placeholder };
}
