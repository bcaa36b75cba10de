// The home page before the first game server is there: what visitors will find, and for admins what comes next.
import { m } from "../../paraglide/messages.js";
import { ButtonAnchor, ButtonLink } from "../../ui/button/button.tsx";
import { EmptyState } from "../../ui/empty-state/empty-state.tsx";
import css from "./first-day.module.css";
import type { FirstDayTexts } from "./first-day-texts.ts";

/** The main act while there is no game server to go to. */
export function FirstAct({ act }: Pick<FirstDayTexts, "act">) {
  if ("to" in act)
    return (
      <ButtonLink to={act.to} size="l">
        {act.label}
      </ButtonLink>
    );
  return (
    <ButtonAnchor href={act.opens} size="l" rel="noopener noreferrer" target="_blank">
      {act.label}
      <span className="visually-hidden">{m.nav_other_site()}</span>
    </ButtonAnchor>
  );
}

/** What will be here. */
export function FirstDay({ panels }: Pick<FirstDayTexts, "panels">) {
  return (
    <div className={css.panels}>
      {panels.map(({ title, text }) => (
        <EmptyState key={title} title={title}>
          <p>{text}</p>
        </EmptyState>
      ))}
    </div>
  );
}
