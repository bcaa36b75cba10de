// Checklist of open setup steps: on the dashboard until done or dismissed, and on the setup's last page.
import { useId } from "react";
import type { Setup, SetupStepState } from "#domain/site/setup.ts";
import { m } from "../../../paraglide/messages.js";
import { ButtonLink } from "../../../ui/button/button.tsx";
import { Link } from "../../../ui/link/link.tsx";
import { SetupAct } from "./act.tsx";
import css from "./checklist.module.css";
import { missingText, setupAddress, setupLabel, setupTodo } from "./steps.ts";

/** Set by the operator who started the site, perhaps before the first visit. */
const SET_ELSEWHERE: SetupStepState["step"][] = ["mail", "backup"];

/** Comes first on the page while the site has nothing to play on. */
export function SetupChecklist({ setup }: { setup: Setup }) {
  const id = useId();
  const begun = setup.steps.some(({ step, done, skipped }) => skipped || (done && !SET_ELSEWHERE.includes(step)));
  return (
    <section aria-labelledby={id} className={css.checklist} data-first={setup.live ? undefined : ""}>
      <h2 id={id}>{setup.live ? m.admin_setup_left() : m.admin_setup_not_live()}</h2>
      {!setup.live && <p className={css.note}>{m.admin_setup_not_live_note()}</p>}
      <LeftSteps setup={setup} />
      <div className={css.acts}>
        {!setup.live && (
          <ButtonLink to="/admin/setup">{begun ? m.admin_setup_go_on() : m.admin_setup_begin()}</ButtonLink>
        )}
        <SetupAct intent="put-away" at="/admin/setup" look="outlined">
          {m.admin_setup_put_away()}
        </SetupAct>
      </div>
    </section>
  );
}

/** Lists open steps as links. */
export function LeftSteps({ setup }: { setup: Setup }) {
  return (
    <ul className={css.left}>
      {setup.steps
        .filter(({ done }) => !done)
        .map((step) => (
          <li key={step.step}>
            <Link to={setupAddress(step.step)}>{setupLabel(step.step)}</Link>
            <span className={css.note}>{whatFor(step)}</span>
          </li>
        ))}
    </ul>
  );
}

const whatFor = ({ step, missing }: SetupStepState): string =>
  missing.length === 0 ? setupTodo(step) : missing.map(missingText).join(" · ");
