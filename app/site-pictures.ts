// The brand's own pictures as pages show them: uploaded ones take the place of those that the site ships with.
import { type Uploaded, uploadedPicture } from "./game-picture.ts";
import { findPicture } from "./pictures.ts";

/** The slides of the home page, in order; a slide without an upload is the shipped one. */
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

/** The file of a logo, under the address where web/pages/media-endpoint.ts hands it out; sizes in px. */
export function logoPicture(logo: { id: string; width: number; height: number } | null) {
  return logo && { src: `/media/${logo.id}-logo.webp`, width: logo.width, height: logo.height };
}
