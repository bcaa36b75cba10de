// Texts of an incident, in both languages side by side.
import type { FieldErrors } from "#shared/form-answer.ts";
import { INCIDENT_LIMITS } from "#shared/plans.ts";
import { m } from "../../../paraglide/messages.js";
import { FormRow } from "../../../ui/form-sheet/form-sheet.tsx";
import { TextArea } from "../../../ui/text-area/text-area.tsx";
import { TitleFields } from "./title-fields.tsx";

type Props<Name extends string> = { given: Partial<Record<Name, string>>; errors: FieldErrors };

export function IncidentTitle({ given, errors }: Props<"title_en" | "title_de">) {
  const labels = { en: m.admin_incident_title_en(), de: m.admin_incident_title_de() };
  return <TitleFields labels={labels} required maxLength={INCIDENT_LIMITS.title} given={given} errors={errors} />;
}

export function IncidentText({ given, errors }: Props<"text_en" | "text_de">) {
  return (
    <FormRow>
      <TextArea
        name="text_en"
        label={m.admin_incident_text_en()}
        hint={m.admin_incident_text_hint()}
        rows={4}
        maxLength={INCIDENT_LIMITS.text}
        lang="en"
        defaultValue={given.text_en}
        error={errors.text_en}
      />
      <TextArea
        name="text_de"
        label={m.admin_incident_text_de()}
        rows={4}
        maxLength={INCIDENT_LIMITS.text}
        lang="de"
        defaultValue={given.text_de}
        error={errors.text_de}
      />
    </FormRow>
  );
}
