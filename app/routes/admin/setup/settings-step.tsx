// Setup step with settings: a part of the settings page.
import { useNavigation } from "react-router";
import type { SettingsField } from "#domain/site/settings-form.ts";
import { m } from "../../../paraglide/messages.js";
import { Button } from "../../../ui/button/button.tsx";
import { FileField } from "../../../ui/file-field/file-field.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { FormActs } from "../../../ui/form-sheet/form-acts.tsx";
import { FormSheet } from "../../../ui/form-sheet/form-sheet.tsx";
import { AnswerNotice } from "../../../ui/notice/answer-notice.tsx";
import { Conflict } from "../../../ui/notice/conflict.tsx";
import { BrandFields, CommunityFields, OperatorFields, settingFields } from "../settings/setting-fields.tsx";
import css from "./setup.module.css";
import type { SetupAnswer, SetupData } from "./setup-actions.ts";
import { type SetupPage, setupAddress } from "./steps.ts";

type Content = Extract<SetupData["content"], { is: "settings" }>;

type Props = {
  page: SetupPage;
  /** Values when the form was rendered; the current logo. */
  content: Content;
  answer: SetupAnswer | undefined;
};

export function SettingsStep({ page, content: { form, revision, limits, logo }, answer }: Props) {
  const { state, formData } = useNavigation();
  const pending = state === "idle" ? null : (formData?.get("intent") ?? null);
  const shown: Partial<Record<SettingsField, string | number>> = answer?.given.texts ?? form;
  const text = settingFields(shown, answer?.fieldErrors, limits);
  return (
    <>
      {answer?.conflict && <Conflict rows={answer.conflict} to={setupAddress(page)} />}
      {/* Outside the form: it also applies to skipping the step. */}
      <AnswerNotice answer={answer} done={m.admin_settings_saved()} />
      <Form
        failed={m.failed_settings()}
        {...(page === "brand" && { encType: "multipart/form-data" })}
        key={answer ? "answered" : "fresh"}
      >
        <input type="hidden" name="revision" value={answer?.revision ?? revision} />
        <FormSheet>
          <div className={css.fields}>
            {page === "brand" && <BrandFields text={text} />}
            {page === "brand" && <Logo logo={logo} busy={pending === "remove-logo"} />}
            {page === "contact" && <CommunityFields text={text} />}
            {page === "legal" && <OperatorFields text={text} />}
          </div>
          <FormActs saved={answer?.done && answer} unsaved={answer?.done === null}>
            <Button type="submit" name="intent" value="save" size="l" loading={pending === "save"}>
              {m.admin_setup_save()}
            </Button>
          </FormActs>
        </FormSheet>
      </Form>
    </>
  );
}

function Logo({ logo, busy }: { logo: Content["logo"]; busy: boolean }) {
  return (
    <div className={css.logo}>
      {logo && (
        <p className={css.shown}>
          <img {...logo} alt={m.admin_settings_logo()} />
        </p>
      )}
      <FileField name="picture" label={m.admin_settings_logo()} hint={m.admin_settings_logo_hint()} required={false} />
      {logo && (
        <div>
          <Button
            type="submit"
            name="intent"
            value="remove-logo"
            formNoValidate
            variant="outlined"
            size="s"
            loading={busy}
          >
            {m.admin_settings_logo_remove()}
          </Button>
        </div>
      )}
    </div>
  );
}
