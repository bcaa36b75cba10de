// Copies a text and says so where the finger is.
import Check from "lucide-react/icons/check";
import Copy from "lucide-react/icons/copy";
import { useEffect, useState } from "react";
import styles from "./copy-button.module.css";
import { copyText } from "./copy-text.ts";

const FEEDBACK_MS = 2_500;

type CopyButtonProps = {
  /** What goes to the clipboard. */
  text: string;
  /** What the button is for, to those who do not see what it stands beside; begins with "Copy". */
  label: string;
  /** `icon` shows the sign alone, for rows. */
  kind?: "full" | "icon";
};

/** Absent without script: the text it stands beside can be selected. */
export function CopyButton({ text, label, kind = "full" }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<"copied" | "failed" | null>(null);

  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(null), FEEDBACK_MS);
    return () => clearTimeout(timer);
  }, [outcome]);

  return (
    <span className={styles.frame} data-outcome={outcome} data-kind={kind}>
      <button
        type="button"
        className={styles.button}
        aria-label={label}
        onClick={async () => setOutcome((await copyText(text)) ? "copied" : "failed")}
      >
        <span className={styles.icons} aria-hidden="true">
          <Copy className={styles.copy} size={18} />
          <Check className={styles.check} size={18} />
        </span>
        {kind === "full" && (
          <span className={styles.words} aria-hidden="true">
            <span className={styles.before}>Copy</span>
            <span className={styles.after}>{outcome === "failed" ? "Select it" : "Copied"}</span>
          </span>
        )}
      </button>
      <span role="status" className={kind === "icon" && outcome ? styles.bubble : "visually-hidden"}>
        {outcome === "copied" && "Copied"}
        {outcome === "failed" && "The browser did not allow it: select the address to copy it"}
      </span>
    </span>
  );
}
