// Progress of the setup: each step with its state, as a link.
import type { Setup } from "#domain/site/setup.ts";
import { m } from "../../../paraglide/messages.js";
import { Link } from "../../../ui/link/link.tsx";
import css from "./progress.module.css";
import { type SetupPage, setupAddress, setupLabel } from "./steps.ts";

export function Progress({ setup, page }: { setup: Setup; page: SetupPage }) {
  const pages: SetupPage[] = [...setup.steps.map(({ step }) => step), "done"];
  const number = pages.indexOf(page) + 1;
  return (
    <nav aria-label={m.admin_setup_steps()} className={css.progress}>
      <p className={css.where}>{m.admin_setup_where({ number, count: pages.length })}</p>
      <ol className={css.steps}>
        {pages.map((each) => {
          const state = stateOf(setup, each);
          return (
            <li key={each} data-state={state}>
              <Link to={setupAddress(each)} aria-current={each === page ? "step" : undefined} className={css.link}>
                <span className={css.label}>{setupLabel(each)}</span>
                {state !== "open" && (
                  <span className="visually-hidden">
                    {state === "done" ? m.admin_setup_is_done() : m.admin_setup_is_skipped()}
                  </span>
                )}
              </Link>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

function stateOf({ steps, live }: Setup, page: SetupPage): "done" | "skipped" | "open" {
  if (page === "done") return live ? "done" : "open";
  const step = steps.find((each) => each.step === page);
  return step?.done ? "done" : step?.skipped ? "skipped" : "open";
}
