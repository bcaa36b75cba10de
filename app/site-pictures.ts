// Picks the brand's pictures: uploads replace the shipped ones.
import { type Uploaded, uploadedPicture } from "./game-picture.ts";
import { findPicture } from "./pictures.ts";

/** Slides of the home page, in order; a slide without an upload is the shipped one. */
export function slidePictures(slides: ({ landscape: Uploaded; portrait: Uploaded } | null)[]) {
  return slides.map((slide, index) => {
    const shipped = `slide-${index + 1}`;
    return {
      name: slide?.landscape.id ?? shipped,
      files: slide ? uploadedPicture(slide.landscape) : findPicture(shipped),
      portrait: slide ? uploadedPicture(slide.portrait) : findPicture(`${shipped}-portrait`),
      alt: "",
    };
  });
}

/** File of a logo, under the address of web/pages/media-endpoint.ts; sizes in px. */
export function logoPicture(logo: { id: string; width: number; height: number } | null) {
  return logo && { src: `/media/${logo.id}-logo.webp`, width: logo.width, height: logo.height };
}
