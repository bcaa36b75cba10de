// Says that this is the demo, and how to start for real: a strip under the bar, which public/theme.js puts away for the rest of
// the session when it is closed.
import { m } from "../../paraglide/messages.js";
import css from "./demo-banner.module.css";

/** Stands directly before `main`. */
export function DemoBanner() {
  return (
    <aside className={css.banner} aria-label={m.demo_label()}>
      <div className={css.inside}>
        <p className={css.text}>
          <strong>{`${m.demo_label()}:`}</strong> {m.demo_note()}{" "}
          <span className={css.start}>
            {m.demo_start()} <code className={css.command}>npm run spawnpoint -- start</code>
          </span>
        </p>
        <button type="button" className={css.close} data-close-demo="" aria-label={m.demo_close()}>
          <svg viewBox="0 0 16 16" aria-hidden="true">
            <path d="m4 4 8 8M12 4l-8 8" />
          </svg>
        </button>
      </div>
    </aside>
  );
}
