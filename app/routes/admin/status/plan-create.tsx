// Creates a plan: a restart or maintenance, once or repeated.
import { redirect, useNavigation } from "react-router";
import { PLAN_FIELDS, PLAN_TITLE_MAX, type PlanTexts, planShape } from "#domain/plans/plan-shape.ts";
import { createPlan, findLastZone, listSubjects } from "#domain/plans/plans.ts";
import { appContext } from "#web/context.ts";
import { handleForm, permitted, refuse, textsOf } from "#web/forms/handle-form.ts";
import { requirePermission } from "#web/guards.ts";
import { here } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import { FormActs } from "../../../ui/form-sheet/form-acts.tsx";
import { AnswerNotice } from "../../../ui/notice/answer-notice.tsx";
import { checkFields, refuseField } from "../field-errors.ts";
import type { Route } from "./+types/plan-create";
import { PlanFormFields } from "./plan-form.tsx";
import { subjectOptions } from "./subject-options.ts";
import { timeZones } from "./time-zones.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission({ context, url }, "gameservers:write");
  const { db } = context.get(appContext);
  const [subjects, zone] = await Promise.all([listSubjects(db), findLastZone(db)]);
  const about = subjectOptions(subjects);
  const wanted = url.searchParams.get("about") ?? "";
  const texts: PlanTexts = {
    kind: "restart",
    about: about.some(({ value }) => value === wanted) ? wanted : "site",
    title_en: "",
    title_de: "",
    first_local: "",
    time_zone: zone ?? "",
    repeats: "weekly",
    minutes: "10",
  };
  return { about, texts, zones: timeZones(zone), title_max: PLAN_TITLE_MAX };
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: permitted("gameservers:write"),
    read: (form) => textsOf(form, PLAN_FIELDS),
    async act({ given, app, actor }) {
      const checked = checkFields(planShape(Date.now()), given);
      if (!checked.ok) return checked;
      const made = await createPlan(app.db, actor, checked.data);
      if (made.ok) return redirect(here("/admin/status?done=plan"));
      return made.reason === "too_many"
        ? refuse(409, m.admin_plan_too_many())
        : refuseField("about", m.admin_plan_no_subject());
    },
    away: () => `${m.failed_plan()} ${m.admin_try_again()}`,
  });
}

export default function PlanCreate({ loaderData, ...props }: Route.ComponentProps) {
  const { about, zones, title_max } = loaderData;
  const actionData = useAnswer(props.actionData);
  const busy = useNavigation().state === "submitting";
  return (
    <>
      <AdminHeading title={m.admin_plan_new()} up={{ to: "/admin/status", label: m.admin_status() }} />
      <Form failed={m.failed_plan()}>
        <AnswerNotice answer={actionData} />
        <PlanFormFields
          texts={actionData?.given ?? loaderData.texts}
          errors={actionData?.fieldErrors ?? {}}
          about={about}
          zones={zones}
          titleMax={title_max}
          preview={null}
        />
        <FormActs cancel="/admin/status" unsaved={actionData !== undefined}>
          <Button type="submit" loading={busy}>
            {m.admin_plan_save()}
          </Button>
        </FormActs>
      </Form>
    </>
  );
}
