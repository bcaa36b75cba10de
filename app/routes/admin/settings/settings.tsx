// Site settings: brand, operator, members, limits. Saved values apply at once on every page.
import { useNavigation } from "react-router";
import { readTexts } from "#domain/form-text.ts";
import { REGISTRATIONS } from "#domain/site/settings.ts";
import {
  findSettingsToEdit,
  SETTINGS_LIMITS,
  type SettingsForm,
  settingsFormShape,
  updateSiteSettings,
} from "#domain/site/settings-form.ts";
import { appContext } from "#web/context.ts";
import { done, handleForm, permitted, refuseConflict, textOf } from "#web/forms/handle-form.ts";
import { requirePermission } from "#web/guards.ts";
import { m } from "../../../paraglide/messages.js";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { Button, ButtonLink } from "../../../ui/button/button.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { useAnswer, useStill } from "../../../ui/form/use-answer.ts";
import { FormActs } from "../../../ui/form-sheet/form-acts.tsx";
import { FormBeside, FormContents, FormRow, FormSection, FormSheet } from "../../../ui/form-sheet/form-sheet.tsx";
import { AnswerNotice } from "../../../ui/notice/answer-notice.tsx";
import { Conflict } from "../../../ui/notice/conflict.tsx";
import { SelectField } from "../../../ui/select-field/select-field.tsx";
import { TextField } from "../../../ui/text-field/text-field.tsx";
import { checkFields, differences } from "../field-errors.ts";
import type { Route } from "./+types/settings";
import { BrandFields, CommunityFields, OperatorFields, settingFields, settingLabels } from "./setting-fields.tsx";

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission({ context, url }, "settings:write");
  return {
    ...(await findSettingsToEdit(context.get(appContext).db)),
    registrations: REGISTRATIONS,
    limits: SETTINGS_LIMITS,
  };
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: permitted("settings:write"),
    read: (form) => readTexts(settingsFormShape, form),
    async act({ given, form, app, actor }) {
      const problem = `${m.admin_settings_not_saved()} ${m.admin_check_fields()}`;
      const checked = checkFields(settingsFormShape, given, problem);
      if (!checked.ok) return checked;
      const saved = await updateSiteSettings(app.db, actor, textOf(form, "revision"), checked.data);
      if (saved.ok) return done(true, { revision: saved.revision });
      if (saved.reason === "gone") throw new Error("settings cannot be gone");
      return refuseConflict(saved.revision, differences(saved.theirs, checked.data, settingLabels()));
    },
    away: () => `${m.failed_settings()} ${m.admin_try_again()}`,
  });
}

const REGISTRATION_LABELS = {
  open: m.admin_settings_registration_open,
  invitation: m.admin_settings_registration_invitation,
  closed: m.admin_settings_registration_closed,
};

export default function Settings({ loaderData, ...props }: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  const { registrations, limits } = loaderData;
  const { form, revision } = useStill(loaderData);
  const busy = useNavigation().state === "submitting";
  const refused = actionData?.done === null ? actionData : null;
  const shown: Record<keyof SettingsForm, string | number> = refused?.given ?? form;
  const text = settingFields(shown, refused?.fieldErrors, limits);
  const number = (name: keyof SettingsForm) => ({
    ...text(name),
    type: "number",
    required: true,
    inputMode: "numeric" as const,
  });
  const sections = {
    brand: { id: "brand", title: m.admin_settings_brand() },
    operator: { id: "operator", title: m.admin_settings_operator() },
    members: { id: "members", title: m.admin_settings_members() },
    limits: { id: "limits", title: m.admin_settings_limits() },
    programs: { id: "programs", title: m.admin_settings_programs() },
    outposts: { id: "outposts", title: m.admin_outposts() },
  };
  return (
    <>
      <AdminHeading title={m.admin_settings()} />
      {refused?.conflict && <Conflict rows={refused.conflict} to="/admin/settings" />}
      <FormBeside aside={<FormContents sections={Object.values(sections)} />}>
        <Form failed={m.failed_settings()}>
          <input type="hidden" name="revision" value={actionData?.revision ?? revision} />
          <FormSheet>
            <AnswerNotice answer={actionData} done={m.admin_settings_saved()} />
            <FormSection {...sections.brand}>
              <BrandFields text={text} />
              <CommunityFields text={text} />
              <FormRow>
                <TextField {...number("since_year")} hint={m.admin_settings_since_year_hint()} />
              </FormRow>
              <div>
                <ButtonLink to="/admin/settings/pictures" variant="outlined" size="s">
                  {m.admin_settings_pictures()}
                </ButtonLink>
              </div>
            </FormSection>
            <FormSection {...sections.operator} note={m.admin_settings_operator_note()}>
              <OperatorFields text={text} />
            </FormSection>
            <FormSection {...sections.members}>
              <FormRow>
                <SelectField
                  name="registration"
                  label={settingLabels().registration}
                  defaultValue={shown.registration}
                  options={registrations.map((value) => ({ value, label: REGISTRATION_LABELS[value]() }))}
                  error={refused?.fieldErrors.registration}
                />
                <TextField {...number("erase_grace_days")} />
              </FormRow>
              <div>
                <ButtonLink to="/admin/settings/invitations" variant="outlined" size="s">
                  {m.admin_settings_invitations()}
                </ButtonLink>
              </div>
            </FormSection>
            <FormSection {...sections.limits} note={m.admin_settings_limits_note()}>
              <FormRow>
                <TextField {...number("sign_ups_per_hour")} />
                <TextField {...number("contacts_per_hour")} />
              </FormRow>
            </FormSection>
            <FormSection {...sections.programs} note={m.admin_settings_programs_note()}>
              <div>
                <ButtonLink to="/admin/settings/keys" variant="outlined" size="s">
                  {m.admin_settings_keys()}
                </ButtonLink>
              </div>
            </FormSection>
            <FormSection {...sections.outposts} note={m.admin_outposts_short()}>
              <div>
                <ButtonLink to="/admin/settings/outposts" variant="outlined" size="s">
                  {m.admin_outposts()}
                </ButtonLink>
              </div>
            </FormSection>
            <FormActs cancel="/admin/dashboard" saved={actionData?.done && actionData} unsaved={refused !== null}>
              <Button type="submit" loading={busy}>
                {m.admin_save()}
              </Button>
            </FormActs>
          </FormSheet>
        </Form>
      </FormBeside>
    </>
  );
}
