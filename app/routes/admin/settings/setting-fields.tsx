// Fields of the site's settings: labels and groups, for every page that has them.
import type { SettingsField, SettingsForm } from "#domain/site/settings-form.ts";
import type { FieldErrors } from "#shared/form-answer.ts";
import { m } from "../../../paraglide/messages.js";
import { FormRow } from "../../../ui/form-sheet/form-sheet.tsx";
import { TextArea } from "../../../ui/text-area/text-area.tsx";
import { TextField } from "../../../ui/text-field/text-field.tsx";

export const settingLabels = (): Record<SettingsField, string> => ({
  site_name: m.admin_settings_site_name(),
  since_year: m.admin_settings_since_year(),
  tagline_en: m.admin_settings_tagline_en(),
  tagline_de: m.admin_settings_tagline_de(),
  discord_url: m.admin_settings_discord_url(),
  contact_email: m.admin_settings_contact_email(),
  operator_name: m.admin_settings_operator_name(),
  operator_address: m.admin_settings_operator_address(),
  operator_country: m.admin_settings_operator_country(),
  operator_representative: m.admin_settings_operator_representative(),
  operator_register: m.admin_settings_operator_register(),
  operator_vat_id: m.admin_settings_operator_vat_id(),
  court: m.admin_settings_court(),
  liability_sum: m.admin_settings_liability_sum(),
  registration: m.admin_settings_registration(),
  erase_grace_days: m.admin_settings_erase_grace_days(),
  sign_ups_per_hour: m.admin_settings_sign_ups_per_hour(),
  contacts_per_hour: m.admin_settings_contacts_per_hour(),
});

type Limits = Partial<Record<SettingsField, { maxLength?: number; min?: number; max?: number }>>;

/** Returns an input's props by setting name. `shown`: the stored or typed values. */
export function settingFields(
  shown: Partial<Record<SettingsField, SettingsForm[SettingsField]>>,
  errors: FieldErrors | undefined,
  limits: Limits,
) {
  const labels = settingLabels();
  return (name: SettingsField) => ({
    name,
    label: labels[name],
    defaultValue: shown[name],
    error: errors?.[name],
    ...limits[name],
    autoComplete: "off",
  });
}
type Props = { text: ReturnType<typeof settingFields> };

export function BrandFields({ text }: Props) {
  return (
    <>
      <TextField {...text("site_name")} required />
      <TextField {...text("tagline_en")} lang="en" />
      <TextField {...text("tagline_de")} lang="de" />
    </>
  );
}

export function CommunityFields({ text }: Props) {
  return (
    <FormRow>
      <TextField {...text("discord_url")} type="url" spellCheck={false} hint={m.admin_settings_discord_url_hint()} />
      <TextField
        {...text("contact_email")}
        type="email"
        spellCheck={false}
        hint={m.admin_settings_contact_email_hint()}
      />
    </FormRow>
  );
}

export function OperatorFields({ text }: Props) {
  return (
    <>
      <FormRow>
        <TextField {...text("operator_name")} />
        <TextField {...text("operator_representative")} />
      </FormRow>
      <FormRow>
        <TextArea {...text("operator_address")} rows={3} />
        <TextField {...text("operator_country")} />
      </FormRow>
      <FormRow>
        <TextField {...text("operator_register")} />
        <TextField {...text("operator_vat_id")} />
      </FormRow>
      <FormRow>
        <TextField {...text("court")} />
        <TextField {...text("liability_sum")} />
      </FormRow>
    </>
  );
}
