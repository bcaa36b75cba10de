// The home page before the first game server exists: a preview for visitors, the next step for admins.
import { m } from "../../paraglide/messages.js";
import { ButtonAnchor, ButtonLink } from "../../ui/button/button.tsx";
import { EmptyState } from "../../ui/empty-state/empty-state.tsx";
import css from "./first-day.module.css";
import type { FirstDayTexts } from "./first-day-texts.ts";

/** Main action while there is no game server. */
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

/** Previews the page. */
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
