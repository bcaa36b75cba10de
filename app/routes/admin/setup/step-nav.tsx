// Links out of a step: back, and skip.
import type { Setup } from "#domain/site/setup.ts";
import { m } from "../../../paraglide/messages.js";
import { ButtonLink } from "../../../ui/button/button.tsx";
import { SetupAct } from "./act.tsx";
import css from "./setup.module.css";
import { pageAfter, pageBefore, setupAddress } from "./steps.ts";

/** Steps without input: continuing is their main action. */
const ONLY_READ = ["mail", "backup"];

export function StepNav({ setup, page }: { setup: Setup; page: Setup["steps"][number]["step"] }) {
  const back = pageBefore(page);
  const isDone = setup.steps.some(({ step, done }) => step === page && done);
  const isRead = ONLY_READ.includes(page);
  const look = isRead || (isDone && page === "servers") ? "default" : "outlined";
  return (
    <div className={css.nav}>
      {back && (
        <ButtonLink to={setupAddress(back)} variant="outlined">
          {m.admin_setup_back()}
        </ButtonLink>
      )}
      {isDone ? (
        <ButtonLink to={setupAddress(pageAfter(page))} variant={look}>
          {m.admin_setup_on()}
        </ButtonLink>
      ) : (
        <SetupAct intent="skip" look={look}>
          {isRead ? m.admin_setup_later() : m.admin_setup_skip()}
        </SetupAct>
      )}
    </div>
  );
}
