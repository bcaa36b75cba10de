// Edits a plan, also while it runs, and deletes it.
import { data, redirect, useNavigation } from "react-router";
import { PLAN_FIELDS, PLAN_TITLE_MAX, planShape } from "#domain/plans/plan-shape.ts";
import { endPlan, findPlanToEdit, listSubjects, updatePlan } from "#domain/plans/plans.ts";
import { appContext } from "#web/context.ts";
import { done, handleForm, permitted, refuse, refuseConflict, textOf, textsOf } from "#web/forms/handle-form.ts";
import { requirePermission } from "#web/guards.ts";
import { here } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { Alert } from "../../../ui/alert/alert.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { useAnswer, useStill } from "../../../ui/form/use-answer.ts";
import { FormActs } from "../../../ui/form-sheet/form-acts.tsx";
import { AnswerNotice } from "../../../ui/notice/answer-notice.tsx";
import { Conflict } from "../../../ui/notice/conflict.tsx";
import { requireId } from "../asked-id.ts";
import { checkFields, differences, refuseField } from "../field-errors.ts";
import type { Route } from "./+types/plan-edit";
import { PlanFormFields } from "./plan-form.tsx";
import { previewOf } from "./plan-times.ts";
import css from "./status.module.css";
import { subjectOptions } from "./subject-options.ts";
import { timeZones } from "./time-zones.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  requirePermission({ context, url }, "gameservers:write");
  const { db } = context.get(appContext);
  const [plan, subjects] = await Promise.all([findPlanToEdit(db, requireId(params.planId)), listSubjects(db)]);
  if (!plan) throw data(null, { status: 404 });
  return {
    plan,
    about: subjectOptions(subjects),
    zones: timeZones(plan.form.time_zone),
    title_max: PLAN_TITLE_MAX,
    preview: plan.ended ? null : previewOf(plan.form),
  };
}

export function action(asked: Route.ActionArgs) {
  const planId = requireId(asked.params.planId);
  return handleForm(asked, {
    who: permitted("gameservers:write"),
    read: (form) => textsOf(form, PLAN_FIELDS),
    async act({ given, form, intent, app, actor }) {
      if (intent === "end") {
        const ended = await endPlan(app.db, actor, planId);
        return ended ? redirect(here("/admin/status?done=ended")) : refuse(410, m.admin_plan_gone());
      }
      const checked = checkFields(planShape(Date.now()), given);
      if (!checked.ok) return checked;
      const saved = await updatePlan(app.db, actor, planId, textOf(form, "revision", 30), checked.data);
      if (saved.ok) return done(true, { revision: saved.revision });
      if (saved.reason === "gone") throw data(null, { status: 404 });
      if (saved.reason === "no_subject") return refuseField("about", m.admin_plan_no_subject());
      return refuseConflict(saved.revision, differences(saved.theirs, given, labels()));
    },
    away: () => `${m.failed_plan()} ${m.admin_try_again()}`,
  });
}

const labels = () => ({
  kind: m.admin_plan_kind(),
  about: m.admin_plan_about(),
  title_en: m.admin_plan_title_en(),
  title_de: m.admin_plan_title_de(),
  first_local: m.admin_plan_first(),
  time_zone: m.admin_plan_zone(),
  repeats: m.admin_plan_repeats(),
  minutes: m.admin_plan_minutes(),
});

export default function PlanEdit({ loaderData, ...props }: Route.ComponentProps) {
  const { about, zones, title_max, preview } = loaderData;
  const plan = useStill(loaderData.plan);
  const answer = useAnswer(props.actionData);
  const busy = useNavigation().state === "submitting";
  const ending = answer?.intent === "end" ? answer : undefined;
  const saving = ending ? undefined : answer;
  const { ended, running } = loaderData.plan;
  return (
    <>
      <AdminHeading
        title={m.admin_plan()}
        up={{ to: "/admin/status", label: m.admin_status() }}
        note={running ? m.admin_plan_running_note() : undefined}
      />
      {ended && <Alert tone="plain">{m.admin_plan_ended_note()}</Alert>}
      {saving?.conflict && <Conflict rows={saving.conflict} to={`/admin/status/plans/${plan.plan_id}`} />}
      <Form failed={m.failed_plan()}>
        <AnswerNotice answer={saving} done={m.admin_plan_saved()} />
        <input type="hidden" name="revision" value={saving?.revision ?? plan.revision} />
        <PlanFormFields
          texts={saving?.given ?? plan.form}
          errors={saving?.fieldErrors ?? {}}
          about={about}
          zones={zones}
          titleMax={title_max}
          preview={preview}
        />
        <FormActs
          cancel="/admin/status"
          saved={saving?.done ? saving : undefined}
          unsaved={saving !== undefined && !saving.done}
        >
          <Button type="submit" loading={busy}>
            {m.admin_plan_save()}
          </Button>
        </FormActs>
      </Form>
      {!ended && (
        <Form failed={m.failed_plan()} className={css.end}>
          <h2>{m.admin_plan_end()}</h2>
          <AnswerNotice answer={ending} />
          <p>
            {m.admin_plan_end_what()} {running && m.admin_plan_end_running()}
          </p>
          <div>
            <Button type="submit" name="intent" value="end" variant="tonal" loading={busy}>
              {m.admin_plan_end()}
            </Button>
          </div>
        </Form>
      )}
    </>
  );
}
