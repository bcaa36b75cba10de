// A message that stands out and is read out: what went wrong, or what went right. It can be put away.
import { createContext, type ReactNode, useContext } from "react";
import css from "./alert.module.css";

type Props = {
  tone: "error" | "good" | "plain";
  children: ReactNode;
  /** Given: a button puts it away. The label names that button. */
  dismiss?: { label: string; onDismiss: () => void };
};

const ICONS = {
  error: "M10 2.5 18 17H2L10 2.5ZM10 8v4M10 14.6v.2",
  good: "M3.5 10.5 8 15l8.5-10",
  plain: "M10 9v5M10 6v.2M10 18a8 8 0 1 0 0-16 8 8 0 0 0 0 16Z",
} as const;

/**
 * Around a form: which of the things that an earlier answer said of it are not what became of it now, and are not shown. All of
 * them where it got no answer or its fields refused it, the good ones while it is on its way.
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
