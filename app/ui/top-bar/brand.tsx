// Brand: the uploaded logo, or the drawn one and the name.
import { BrandMark } from "./brand-mark.tsx";
import css from "./top-bar.module.css";

/** Sizes in px. */
export type LogoFile = { src: string; width: number; height: number };

/** Proportion from which a logo contains the name. */
const WIDE = 2;

export function Brand({ siteName, logo }: { siteName: string; logo: LogoFile | null }) {
  if (logo && logo.width >= logo.height * WIDE) return <img {...logo} className={css.logo} alt={siteName} />;
  return (
    <>
      {/* Decorative: the text beside it has the name. */}
      {logo ? <img {...logo} className={css.logo} alt="" /> : <BrandMark />}
      <span className={css.name}>{siteName}</span>
    </>
  );
}
