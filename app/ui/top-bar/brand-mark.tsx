// The mark: a low sun behind the horizon, the one light of every picture of the site.
import css from "./top-bar.module.css";

export function BrandMark() {
  return (
    <svg viewBox="0 0 28 28" aria-hidden="true" className={css.mark}>
      <path className={css.sun} d="M4 17a10 10 0 0 1 20 0z" />
      <path className={css.horizon} d="M1 20.6h26M6 24.6h16" />
    </svg>
  );
}
