// Title for players, in both languages side by side.
import type { FieldErrors } from "#shared/form-answer.ts";
import { FormRow } from "../../../ui/form-sheet/form-sheet.tsx";
import { TextField } from "../../../ui/text-field/text-field.tsx";

export function TitleFields(props: {
  labels: { en: string; de: string };
  /** Shown below the English one. */
  hint?: string;
  /** Makes the English one required: the other language falls back to it. */
  required?: boolean;
  maxLength: number;
  given: { title_en?: string; title_de?: string };
  errors: FieldErrors;
}) {
  const { labels, hint, required, maxLength, given, errors } = props;
  return (
    <FormRow>
      <TextField
        name="title_en"
        label={labels.en}
        hint={hint}
        required={required}
        maxLength={maxLength}
        lang="en"
        autoComplete="off"
        defaultValue={given.title_en}
        error={errors.title_en}
      />
      <TextField
        name="title_de"
        label={labels.de}
        maxLength={maxLength}
        lang="de"
        autoComplete="off"
        defaultValue={given.title_de}
        error={errors.title_de}
      />
    </FormRow>
  );
}
