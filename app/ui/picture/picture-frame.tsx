// A picture in the best format and width for the screen, over its blurred placeholder. Fills its parent, which sets the
// proportions.
import css from "./picture.module.css";

/** Files of a picture, from app/pictures.ts; loaders pass them, so that no list of files is sent. */
export type PictureFiles = {
  width: number;
  height: number;
  /** Values for srcset. */
  avif: string;
  webp: string;
  /** For browsers that use no source. */
  fallback: string;
  /** A tiny data: address. */
  placeholder: string;
  /** Part that stays visible when cropped: "left", "right", "top", "bottom", or two of them; default: the middle. */
  focus?: string;
};

type Props = {
  /** Null: no picture; the frame stays lit but empty. */
  files: PictureFiles | null;
  /** For upright phones. */
  portrait?: PictureFiles | null;
  /** Empty for a decorative picture. */
  alt: string;
  /** Value of the sizes attribute. */
  sizes: string;
  /** The first picture in view: fetched at once, before others. */
  priority?: boolean;
};

/** When the portrait picture is used; a preload must have the same. */
export const PORTRAIT_MEDIA = "(width < 40rem) and (orientation: portrait)";
export const LANDSCAPE_MEDIA = "not all and (width < 40rem) and (orientation: portrait)";

/**
 * Without a listener, React delays a page transition for its pictures, up to 0.8 s. Ours have placeholders, so no wait is needed.
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
