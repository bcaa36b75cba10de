// The brand: the uploaded logo, or the drawn mark and the name.
import { BrandMark } from "./brand-mark.tsx";
import css from "./top-bar.module.css";

/** Sizes in px. */
export type LogoFile = { src: string; width: number; height: number };

/** From this proportion on, a logo has the name in it. */
const WIDE = 2;

export function Brand({ siteName, logo }: { siteName: string; logo: LogoFile | null }) {
  if (logo && logo.width >= logo.height * WIDE) return <img {...logo} className={css.logo} alt={siteName} />;
  return (
    <>
      {/* The name is said once, by the text beside it. */}
      {logo ? <img {...logo} className={css.logo} alt="" /> : <BrandMark />}
      <span className={css.name}>{siteName}</span>
    </>
  );
}
