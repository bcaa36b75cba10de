// Highlighted message that is also read out: an error or a success. Can be dismissible.
import { createContext, type ReactNode, useContext } from "react";
import css from "./alert.module.css";

type Props = {
  tone: "error" | "good" | "plain";
  children: ReactNode;
  /** Adds a dismiss button with this label. */
  dismiss?: { label: string; onDismiss: () => void };
};

const ICONS = {
  error: "M10 2.5 18 17H2L10 2.5ZM10 8v4M10 14.6v.2",
  good: "M3.5 10.5 8 15l8.5-10",
  plain: "M10 9v5M10 6v.2M10 18a8 8 0 1 0 0-16 8 8 0 0 0 0 16Z",
} as const;

/**
 * Around a form: which earlier answers are outdated and hidden. All of them if the form got no answer or its fields were refused,
 * the good ones while it is being sent.
 */
export const OlderAnswers = createContext<"all" | "good" | null>(null);

export function Alert({ tone, children, dismiss }: Props) {
  const older = useContext(OlderAnswers);
  if (older && tone !== "plain" && (older === "all" || tone === older)) return null;
  return (
    <div
      className={css.alert}
      data-tone={tone}
      data-answer={tone === "plain" ? undefined : ""}
      role={tone === "error" ? "alert" : "status"}
    >
      <svg viewBox="0 0 20 20" aria-hidden="true" className={css.icon}>
        <path d={ICONS[tone]} />
      </svg>
      <div className={css.words}>{children}</div>
      {dismiss && (
        <button type="button" className={css.dismiss} aria-label={dismiss.label} onClick={dismiss.onDismiss}>
          <svg viewBox="0 0 20 20" aria-hidden="true">
            <path d="m5 5 10 10M15 5 5 15" />
          </svg>
        </button>
      )}
    </div>
  );
}
