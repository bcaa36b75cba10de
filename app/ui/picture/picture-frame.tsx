// A picture in the best format and width for the screen, over its own blurred placeholder. Fills its parent, which gives it
// its proportions.
import css from "./picture.module.css";

/** The files of one picture, as app/pictures.ts finds them; a loader hands them over, so that no list of files is sent. */
export type PictureFiles = {
  width: number;
  height: number;
  /** Values for srcset. */
  avif: string;
  webp: string;
  /** For browsers that choose no source. */
  fallback: string;
  /** A tiny data: address. */
  placeholder: string;
  /** What stays in sight where it is cropped: "left", "right", "top", "bottom", or two of them; otherwise the middle. */
  focus?: string;
};

type Props = {
  /** Null: no such picture; the place keeps the light without a scene. */
  files: PictureFiles | null;
  /** For upright phones. */
  portrait?: PictureFiles | null;
  /** Empty for a picture that only decorates. */
  alt: string;
  /** The value of the sizes attribute. */
  sizes: string;
  /** The picture that the eye meets first: fetched at once, ahead of the rest. */
  priority?: boolean;
};

/** When the upright picture is taken; a preload must say the same. */
export const PORTRAIT_MEDIA = "(width < 40rem) and (orientation: portrait)";
export const LANDSCAPE_MEDIA = "not all and (width < 40rem) and (orientation: portrait)";

/**
 * React lets a page that a picture travels to wait for its pictures, up to 0.8 s, unless somebody listens to them. Ours have a
 * placeholder, and nobody waits for a picture.
 */
const waitForNone = () => {};

export function PictureFrame({ files, portrait, alt, sizes, priority = false }: Props) {
  if (!files) return <span className={css.frame} data-missing />;
  return (
    <span className={css.frame} data-focus={files.focus || undefined}>
      <img
        className={css.placeholder}
        src={files.placeholder}
        alt=""
        aria-hidden="true"
        width="16"
        height="10"
        onLoad={waitForNone}
      />
      <picture>
        {portrait && <source media={PORTRAIT_MEDIA} type="image/avif" srcSet={portrait.avif} sizes={sizes} />}
        {portrait && <source media={PORTRAIT_MEDIA} type="image/webp" srcSet={portrait.webp} sizes={sizes} />}
        <source type="image/avif" srcSet={files.avif} sizes={sizes} />
        <img
          className={css.picture}
          srcSet={files.webp}
          sizes={sizes}
          src={files.fallback}
          alt={alt}
          width={files.width}
          height={files.height}
          loading={priority ? "eager" : "lazy"}
          decoding={priority ? "sync" : "async"}
          fetchPriority={priority ? "high" : undefined}
          onLoad={waitForNone}
        />
      </picture>
    </span>
  );
}
