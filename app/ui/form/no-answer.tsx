// Message in a form without an answer: what failed, why if known, and that the input is kept.
import { useEffect, useRef } from "react";
import { m } from "../../paraglide/messages.js";
import { Alert } from "../alert/alert.tsx";
import { Button } from "../button/button.tsx";
import css from "./no-answer.module.css";
import type { Unanswered } from "./unanswered.ts";

/** Failed action ("Error creating game!"), or a sentence with the reason. */
export type Failed = string | ((reason: string) => string);

/** `refused`: an answer that its page would have shown. */
export type Failure = Unanswered | "refused";

type Props = {
  failed: Failed;
  failure: Unanswered;
  /** Whether there is input that was kept. */
  typed: boolean;
  /** Sends it again. */
  onAgain: () => void;
};

export function NoAnswer({ failed, failure, typed, onAgain }: Props) {
  const box = useRef<HTMLDivElement>(null);
  // Disappears on sending again, so each failure has its own.
  useEffect(() => {
    box.current?.scrollIntoView({ block: "nearest" });
  }, []);
  const again = failure !== "large" && failure !== "cross_site" && failure !== "elsewhere";
  return (
    <div ref={box} className={css.box}>
      <Alert tone="error">
        {noAnswerText(failed, failure)}
        {typed && ` ${m.form_kept()}`}
        {again && (
          <span className={css.again}>
            <Button size="s" variant="outlined" onClick={onAgain}>
              {m.form_again()}
            </Button>
          </span>
        )}
      </Alert>
    </div>
  );
}

/** Returns what failed, and why. */
export function noAnswerText(failed: Failed, failure: Failure): string {
  const reason = REASONS[failure]();
  return typeof failed === "string" ? `${failed} ${reason}` : failed(reason);
}

/** Explains what happened, as far as the browser knows. A request without an answer may have arrived. */
const REASONS: Record<Failure, () => string> = {
  lost: m.form_lost,
  silent: m.form_silent,
  database: m.error_database_text,
  away: m.form_away,
  often: m.error_too_often_text,
  large: m.error_too_large_text,
  cross_site: m.error_cross_site_text,
  elsewhere: () => {
    const address = siteAddress();
    return address === null ? m.error_elsewhere() : m.form_elsewhere({ address });
  },
  broken: m.form_broken,
  refused: m.form_left_refused,
};

/** Returns the site's address from the page's head; null: none, or the current one. */
function siteAddress(): string | null {
  const link = document.querySelector<HTMLLinkElement>("link[rel=canonical], link[rel=alternate][hreflang]");
  const origin = link ? new URL(link.href).origin : null;
  return origin === location.origin ? null : origin;
}
