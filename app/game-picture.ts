// Picks a game's picture: the admin's upload, the shipped painting, or a landscape of the library.
import { type Landscape, landscapeOf } from "#content/landscapes/landscapes.ts";
import { findPicture } from "./pictures.ts";
import type { PictureFiles } from "./ui/picture/picture-frame.tsx";

export type Uploaded = { id: string; width: number; height: number; widths: number[]; placeholder: string };

type Pictured = {
  game_name: string;
  game_slug: string;
  picture: string | null;
  banner: Uploaded | null;
};

/** Returns the files of a game's picture; there is always one. */
export function gamePicture(game: Pictured): PictureFiles | null {
  if (game.banner) return uploadedPicture(game.banner);
  const landscape = landscapeOf(game);
  return landscape ? landscapePicture(landscape) : findPicture(game.picture ?? game.game_slug);
}

/** Widths and height of the landscape files that domain/media makes, in px. */
const MADE = { width: 1380, height: 863, widths: [345, 690, 1035, 1380] };

/** Returns the files of a landscape; `widths` where it is never shown large. */
export const landscapePicture = ({ id, placeholder, focus }: Landscape, widths = MADE.widths): PictureFiles => ({
  ...uploadedPicture({ ...MADE, id, widths, placeholder }),
  focus: focusOf(focus),
});

/** Maps the focus to thirds of each axis, named as in picture.module.css. */
function focusOf([across = 50, down = 50]: readonly number[]): string {
  const [x, y] = [across < 40 ? "left" : across > 60 ? "right" : "", down < 40 ? "top" : down > 60 ? "bottom" : ""];
  return [x, y].filter(Boolean).join(" ");
}

/** Returns the files of an uploaded picture, as web/pages/media-endpoint.ts serves them. */
export function uploadedPicture({ id, width, height, widths, placeholder }: Uploaded): PictureFiles {
  const file = (each: number, format: string) => `/media/${id}-${each}.${format}`;
  const srcset = (format: string) => widths.map((each) => `${file(each, format)} ${each}w`).join(", ");
  const fallback = file(widths[Math.floor(widths.length / 2)] ?? width, "webp");
  return { width, height, avif: srcset("avif"), webp: srcset("webp"), fallback, placeholder };
}
