// What a person writes of an incident, in both languages side by side.
import type { FieldErrors } from "#shared/form-answer.ts";
import { INCIDENT_LIMITS } from "#shared/plans.ts";
import { m } from "../../../paraglide/messages.js";
import { FormRow } from "../../../ui/form-sheet/form-sheet.tsx";
import { TextArea } from "../../../ui/text-area/text-area.tsx";
import { TextField } from "../../../ui/text-field/text-field.tsx";

type Props<Name extends string> = { given: Partial<Record<Name, string>>; errors: FieldErrors };

export function IncidentTitle({ given, errors }: Props<"title_en" | "title_de">) {
  return (
    <FormRow>
      <TextField
        name="title_en"
        label={m.admin_incident_title_en()}
        required
        maxLength={INCIDENT_LIMITS.title}
        lang="en"
        autoComplete="off"
        defaultValue={given.title_en}
        error={errors.title_en}
      />
      <TextField
        name="title_de"
        label={m.admin_incident_title_de()}
        maxLength={INCIDENT_LIMITS.title}
        lang="de"
        autoComplete="off"
        defaultValue={given.title_de}
        error={errors.title_de}
      />
    </FormRow>
  );
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
