// The game server's own icon and text, as its game lists them.
import { m } from "../../../paraglide/messages.js";
import { ToldText } from "../../../ui/told-text/told-text.tsx";
import styles from "./says.module.css";
import type { ShownDetails } from "./shown-details.ts";

/** Renders nothing if there are neither. */
export function ServerSays({ icon, lines }: Pick<ShownDetails, "icon" | "lines">) {
  if (icon === null && lines.length === 0) return null;
  return (
    <section className={`page ${styles.says}`} aria-labelledby="says">
      <h2 id="says">{m.says_title()}</h2>
      <div className={styles.panel}>
        {icon && <img src={icon} alt="" width={64} height={64} loading="lazy" decoding="async" />}
        {lines.length > 0 && <ToldText lines={lines} />}
      </div>
    </section>
  );
}
