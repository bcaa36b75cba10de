// A picture of the site in the best format and width for the screen, over its own blurred placeholder.
import { findPicture } from "../../pictures.ts";
import css from "./picture.module.css";

type Props = {
  /** A picture that the site ships, by name: a game's slug, slide-1… */
  name: string;
  /** Empty for a picture that only decorates. */
  alt: string;
  /** The value of the sizes attribute. */
  sizes: string;
  /** A picture for upright phones, by name. */
  portrait?: string;
  /** The picture that the eye meets first: fetched at once, ahead of the rest. */
  priority?: boolean;
};

/** When the upright picture is taken; the preload in a route's links() must say the same. */
export const PORTRAIT_MEDIA = "(width < 40rem) and (orientation: portrait)";
export const LANDSCAPE_MEDIA = "not all and (width < 40rem) and (orientation: portrait)";

/** Fills its parent, which gives it its proportions. */
export function Picture({ name, alt, sizes, portrait, priority = false }: Props) {
  const wide = findPicture(name);
  const upright = portrait ? findPicture(portrait) : null;
  if (!wide) return <span className={css.frame} data-missing />;
  return (
    <span className={css.frame}>
      <img className={css.placeholder} src={wide.placeholder} alt="" aria-hidden="true" width="16" height="9" />
      <picture>
        {upright && <source media={PORTRAIT_MEDIA} type="image/avif" srcSet={upright.avif} sizes={sizes} />}
        {upright && <source media={PORTRAIT_MEDIA} type="image/webp" srcSet={upright.webp} sizes={sizes} />}
        <source type="image/avif" srcSet={wide.avif} sizes={sizes} />
        <img
          className={css.picture}
          srcSet={wide.webp}
          sizes={sizes}
          src={wide.fallback}
          alt={alt}
          width={wide.width}
          height={wide.height}
          loading={priority ? "eager" : "lazy"}
          decoding={priority ? "sync" : "async"}
          fetchPriority={priority ? "high" : undefined}
        />
      </picture>
    </span>
  );
}
