// The logo, same as the favicon: a low sun with its glow over the horizon, the one light of all the site's pictures.
import css from "./top-bar.module.css";

export function BrandMark() {
  return (
    <svg viewBox="2 14 60 44" aria-hidden="true" className={css.mark}>
      <path className={css.glow} d="M9.5 43a22.5 22.5 0 0 1 45 0" />
      <path className={css.sun} d="M19.5 43a12.5 12.5 0 0 1 25 0z" />
      <path className={css.horizon} d="M5 52.5h54" />
    </svg>
  );
}
