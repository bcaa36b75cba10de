// One act of the setup besides its fields: going on without a step, a test mail, putting the checklist away.
import type { ReactNode } from "react";
import { useFetcher, useNavigation } from "react-router";
import { here } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";
import { Button } from "../../../ui/button/button.tsx";
import { Form } from "../../../ui/form/form.tsx";
import css from "./setup.module.css";

type Props = {
  intent: "skip" | "test-mail" | "put-away" | "bring-back";
  /** Where it posts, in English, where that is another page: it is sent without leaving this one. */
  at?: string;
  look: "default" | "tonal" | "outlined";
  /** What could not be done, should no answer come. */
  failed?: string;
  /** What became of it. */
  notice?: ReactNode;
  children: string;
};

export function SetupAct({ intent, at, look, failed = m.failed_setup_step(), notice, children }: Props) {
  const fetcher = useFetcher();
  const navigation = useNavigation();
  const { state, formData } = at ? fetcher : navigation;
  const busy = state !== "idle" && formData?.get("intent") === intent;
  return (
    <Form failed={failed} {...(at && { action: here(at), fetcher })} className={css.act}>
      {notice}
      <Button type="submit" name="intent" value={intent} variant={look} loading={busy}>
        {children}
      </Button>
    </Form>
  );
}
