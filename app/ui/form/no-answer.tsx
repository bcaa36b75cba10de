// Says in a form that no answer came: what could not be done, why as far as it is known, and that nothing typed is gone.
import { useEffect, useRef } from "react";
import { m } from "../../paraglide/messages.js";
import { Alert } from "../alert/alert.tsx";
import { Button } from "../button/button.tsx";
import css from "./no-answer.module.css";
import type { Unanswered } from "./unanswered.ts";

/** What could not be done ("Error creating game!"), or the sentence that the reason stands in. */
export type Failed = string | ((reason: string) => string);

/** `refused`: an answer that its page would have shown. */
export type Failure = Unanswered | "refused";

type Props = {
  failed: Failed;
  failure: Unanswered;
  /** Whether there is something typed that is still there. */
  typed: boolean;
  /** Sends it once more. */
  onAgain: () => void;
};

export function NoAnswer({ failed, failure, typed, onAgain }: Props) {
  const box = useRef<HTMLDivElement>(null);
  // It goes away when the form is sent again, so each failure has one of its own.
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

/** What could not be done, and why. */
export function noAnswerText(failed: Failed, failure: Failure): string {
  const reason = REASONS[failure]();
  return typeof failed === "string" ? `${failed} ${reason}` : failed(reason);
}

/** What happened, as far as the browser can know. A request without an answer may have arrived. */
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

/** Where the site says that it lives, in the head of its pages; null: nowhere, or here. */
function siteAddress(): string | null {
  const link = document.querySelector<HTMLLinkElement>("link[rel=canonical], link[rel=alternate][hreflang]");
  const origin = link ? new URL(link.href).origin : null;
  return origin === location.origin ? null : origin;
}
