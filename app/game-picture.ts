// The picture of a game: the one that an admin uploaded, the one of that name that the site ships with, or the drawn one.
import { sceneAir } from "#shared/scene-hint.ts";
import { findPicture } from "./pictures.ts";
import type { PictureFiles } from "./ui/picture/picture-frame.tsx";

export type Uploaded = { id: string; width: number; height: number; widths: number[]; placeholder: string };

type Pictured = {
  game_name: string;
  game_slug: string;
  picture: string | null;
  banner: Uploaded | null;
  scene: Uploaded | null;
  scene_take: number;
};

/** The files of a game's picture; while it is being drawn, a sky in its colours. */
export function gamePicture(game: Pictured): PictureFiles {
  if (game.banner) return uploadedPicture(game.banner);
  const shipped = findPicture(game.picture ?? game.game_slug);
  if (shipped) return shipped;
  return game.scene ? uploadedPicture(game.scene) : skyOf(game);
}

/** What is known before the drawing is there: the air of its hour, the light at the horizon, and dark ground. */
function skyOf({ game_name, scene_take }: Pictured): PictureFiles {
  const { time, hue } = sceneAir(game_name, scene_take);
  const [top, middle, foot] = { dusk: [15, 40, 69], dawn: [27, 54, 78], noon: [33, 49, 64], night: [9, 20, 38] }[time];
  const stops = [
    [0, `oklch(${top}% .05 ${hue})`],
    [0.4, `oklch(${middle}% .06 ${hue})`],
    [0.68, `oklch(${foot}% .13 58)`],
    [0.72, `oklch(22% .03 ${hue})`],
    [1, `oklch(12% .02 ${hue})`],
  ].map(([at, colour]) => `<stop offset="${at}" stop-color="${colour}"/>`);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 10" preserveAspectRatio="none"><linearGradient id="s" x2="0" y2="1">${stops.join("")}</linearGradient><path fill="url(#s)" d="M0 0h16v10H0z"/></svg>`;
  const placeholder = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  return { width: 1380, height: 862, avif: "", webp: "", fallback: "", placeholder };
}

/** Where web/pages/media-endpoint.ts hands out the files of an uploaded picture. */
export function uploadedPicture({ id, width, height, widths, placeholder }: Uploaded): PictureFiles {
  const file = (each: number, format: string) => `/media/${id}-${each}.${format}`;
  const srcset = (format: string) => widths.map((each) => `${file(each, format)} ${each}w`).join(", ");
  const fallback = file(widths[Math.floor(widths.length / 2)] ?? width, "webp");
  return { width, height, avif: srcset("avif"), webp: srcset("webp"), fallback, placeholder };
}
