// Turns the page from dark to light and back, and remembers it in this browser; public/theme.js reads it on the next page.
import { m } from "../../paraglide/messages.js";
import css from "./top-bar.module.css";

/** What the browser colours its own bar with: the ground of each theme. */
const GROUNDS = { dark: "#0c0908", light: "#f5f2ed" };

function turn() {
  const root = document.documentElement;
  const theme = root.dataset.theme === "light" ? "dark" : "light";
  root.dataset.theme = theme;
  for (const meta of document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]"))
    meta.content = GROUNDS[theme];
  try {
    localStorage.setItem("theme", theme);
  } catch {
    // Storage can be closed to us; the page is still turned until it is left.
  }
}

export function ThemeSwitch() {
  return (
    <button type="button" className={css.theme} onClick={turn} aria-label={m.theme_switch()} title={m.theme_switch()}>
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <circle cx="10" cy="10" r="7" />
        <path d="M10 3a7 7 0 0 1 0 14z" />
      </svg>
    </button>
  );
}
