// Creates an incident by hand: it is published at once.
import { redirect, useNavigation } from "react-router";
import { createIncident, newIncidentShape } from "#domain/incidents/incidents.ts";
import { listSubjects } from "#domain/plans/plans.ts";
import { appContext } from "#web/context.ts";
import { handleForm, permitted, textsOf } from "#web/forms/handle-form.ts";
import { requirePermission } from "#web/guards.ts";
import { here } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import { FormActs } from "../../../ui/form-sheet/form-acts.tsx";
import { AnswerNotice } from "../../../ui/notice/answer-notice.tsx";
import { SelectField } from "../../../ui/select-field/select-field.tsx";
import { checkFields, refuseField } from "../field-errors.ts";
import type { Route } from "./+types/incident-create";
import { IncidentText, IncidentTitle } from "./incident-text-fields.tsx";
import css from "./status.module.css";
import { subjectOptions } from "./subject-options.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission({ context, url }, "gameservers:write");
  return { about: subjectOptions(await listSubjects(context.get(appContext).db)) };
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: permitted("gameservers:write"),
    read: (form) => textsOf(form, ["about", "title_en", "title_de", "text_en", "text_de"]),
    async act({ given, app, actor }) {
      const checked = checkFields(newIncidentShape, given);
      if (!checked.ok) return checked;
      const made = await createIncident(app.db, actor, checked.data);
      return made.ok ? redirect(here("/admin/status?done=incident")) : refuseField("about", m.admin_plan_no_subject());
    },
    away: () => `${m.failed_incident()} ${m.admin_try_again()}`,
  });
}

export default function IncidentCreate({ loaderData: { about }, ...props }: Route.ComponentProps) {
  const answer = useAnswer(props.actionData);
  const busy = useNavigation().state === "submitting";
  const given: Partial<NonNullable<typeof answer>["given"]> = answer?.given ?? { about: "site" };
  const errors = answer?.fieldErrors ?? {};
  return (
    <>
      <AdminHeading title={m.admin_incident_new()} up={{ to: "/admin/status", label: m.admin_status() }} />
      <Form failed={m.failed_incident()} className={css.form}>
        <AnswerNotice answer={answer} />
        <SelectField
          name="about"
          label={m.admin_plan_about()}
          hint={m.admin_plan_about_hint()}
          options={about}
          defaultValue={given.about}
          error={errors.about}
        />
        <IncidentTitle given={given} errors={errors} />
        <IncidentText given={given} errors={errors} />
        <FormActs cancel="/admin/status" unsaved={answer !== undefined}>
          <Button type="submit" loading={busy}>
            {m.admin_incident_publish()}
          </Button>
        </FormActs>
      </Form>
    </>
  );
}
