// Copies a text and confirms on the button.
import { useEffect, useState } from "react";
import { m } from "../../paraglide/messages.js";
import { Button } from "../button/button.tsx";
import { Icon } from "../icon/icon.tsx";
import styles from "./copy-button.module.css";
import { copyText } from "./copy-text.ts";

const FEEDBACK_MS = 2_500;

type CopyButtonProps = {
  /** Text for the clipboard. */
  text: string;
  /** Label of the button; without one only the icon, for rows. */
  label?: string;
  /** Full name of the button; begins with its label. */
  accessibleName: string;
  /** Highlighted as the main action. */
  main?: boolean;
};

/** Hidden without script: the text beside it can be selected. */
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
