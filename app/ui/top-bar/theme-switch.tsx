// Theme switch. public/theme.js changes the page and stores the choice in this browser, so that it works on pages without other
// scripts, and before they load.
import { m } from "../../paraglide/messages.js";
import css from "./top-bar.module.css";

export function ThemeSwitch() {
  return (
    <button
      type="button"
      className={css.theme}
      data-theme-switch=""
      aria-label={m.theme_switch()}
      title={m.theme_switch()}
    >
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <circle cx="10" cy="10" r="7" />
        <path d="M10 3a7 7 0 0 1 0 14z" />
      </svg>
    </button>
  );
}
