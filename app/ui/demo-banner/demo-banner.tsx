// Demo notice with a link to a real start: a strip under the bar; public/theme.js hides it for the session once closed.
import { m } from "../../paraglide/messages.js";
import css from "./demo-banner.module.css";

/** Place it directly before `main`. */
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
