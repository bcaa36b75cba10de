// Says that this is the demo, and how to start for real. It lies over the end of the window, so that nothing moves when it
// goes; public/theme.js keeps it away for the rest of the session.
import css from "./demo-banner.module.css";

function close() {
  document.documentElement.dataset.demoBanner = "closed";
  try {
    sessionStorage.setItem("demoBanner", "closed");
  } catch {
    // Storage can be closed to us; it stays away until the page is left.
  }
  document.getElementById("main")?.focus({ preventScroll: true });
}

export function DemoBanner() {
  return (
    <aside className={css.banner} aria-label="Demo">
      <p className={css.text}>
        <strong>Demo:</strong> pretend game servers on this machine, really asked over their own protocols. Start for
        real with <code className={css.command}>npm run spawnpoint -- start</code>
      </p>
      <button type="button" className={css.close} onClick={close} aria-label="Close the demo note">
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="m4 4 8 8M12 4l-8 8" />
        </svg>
      </button>
    </aside>
  );
}
