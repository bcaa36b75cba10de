// The ways out of a step: back, and on without it.
import { useNavigation } from "react-router";
import type { Setup } from "#domain/site/setup.ts";
import { here } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";
import { Button, ButtonLink } from "../../../ui/button/button.tsx";
import { Form } from "../../../ui/form/form.tsx";
import css from "./setup.module.css";
import { pageAfter, pageBefore, setupAddress } from "./steps.ts";

/** Steps in which nothing is to be sent: going on is their main act. */
const ONLY_READ = ["mail", "backup"];

export function StepNav({ setup, page }: { setup: Setup; page: Setup["steps"][number]["step"] }) {
  const { state, formData } = useNavigation();
  const back = pageBefore(page);
  const isDone = setup.steps.some(({ step, done }) => step === page && done);
  const look = ONLY_READ.includes(page) || (isDone && page !== "brand") ? "default" : "outlined";
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
        <Form failed={m.failed_setup_step()} action={here(setupAddress(page))}>
          <Button
            type="submit"
            name="intent"
            value="skip"
            variant={look}
            loading={state === "submitting" && formData?.get("intent") === "skip"}
          >
            {m.admin_setup_skip()}
          </Button>
        </Form>
      )}
    </div>
  );
}
