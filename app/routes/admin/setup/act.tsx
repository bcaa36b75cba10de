// Extra action of the setup: skip a step, send a test mail, dismiss the checklist.
import type { ReactNode } from "react";
import { useFetcher, useNavigation } from "react-router";
import { here } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";
import { Button } from "../../../ui/button/button.tsx";
import { Form } from "../../../ui/form/form.tsx";
import css from "./setup.module.css";

type Props = {
  intent: "skip" | "test-mail" | "put-away" | "bring-back";
  /** English address of another page to post to, without leaving this one. */
  at?: string;
  look: "default" | "tonal" | "outlined";
  /** Shown when no answer comes. */
  failed?: string;
  /** Outcome of the action. */
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
