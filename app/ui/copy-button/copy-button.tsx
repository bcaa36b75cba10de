// Copies a text and says so where the finger is.
import { useEffect, useState } from "react";
import { m } from "../../paraglide/messages.js";
import { Button } from "../button/button.tsx";
import { Icon } from "../icon/icon.tsx";
import styles from "./copy-button.module.css";
import { copyText } from "./copy-text.ts";

const FEEDBACK_MS = 2_500;

type CopyButtonProps = {
  /** What goes to the clipboard. */
  text: string;
  /** The label of the button; where there is none it is the sign alone, for rows. */
  label?: string;
  /** The whole name of the button; begins with its label. */
  accessibleName: string;
  /** Nothing beside it leads further: it has the colour of what is to be done. */
  main?: boolean;
};

/** Absent without script: the text it stands beside can be selected. */
export function CopyButton({ text, label, accessibleName, main = false }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<"copied" | "failed" | null>(null);

  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(null), FEEDBACK_MS);
    return () => clearTimeout(timer);
  }, [outcome]);

  const copy = async () => setOutcome((await copyText(text)) ? "copied" : "failed");
  const icons = (
    <span className={styles.faces} aria-hidden="true">
      <Icon shape="copy" className={styles.before} size={17} />
      {outcome && <Icon shape="check" className={styles.after} size={17} />}
    </span>
  );
  return (
    <span
      className={styles.frame}
      data-outcome={outcome}
      data-kind={label ? "label" : "icon"}
      data-main={main || undefined}
    >
      {label ? (
        <Button variant={main ? "default" : "tonal"} aria-label={accessibleName} onClick={copy}>
          {icons}
          <span className={styles.faces} aria-hidden="true">
            <span className={styles.before}>{label}</span>
            <span className={styles.after}>{m.copied()}</span>
          </span>
        </Button>
      ) : (
        <button type="button" className={styles.icon} aria-label={accessibleName} onClick={copy}>
          {icons}
        </button>
      )}
      <span role="status" className={outcome === "failed" || (outcome && !label) ? styles.bubble : "visually-hidden"}>
        {outcome === "copied" && m.copied()}
        {outcome === "failed" && m.copy_failed()}
      </span>
    </span>
  );
}
