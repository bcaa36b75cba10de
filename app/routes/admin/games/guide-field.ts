// What every field and every button of a guide's editor has.
import type { FieldErrors } from "#shared/form-answer.ts";
import type { GuideList } from "./guide-form.ts";

export type GuideFieldsProps = {
  list: GuideList;
  /** In words, by the names of fields. */
  fieldErrors: FieldErrors;
  /** The name of the field, or the value of the button, that has the focus at first. */
  focus: string | undefined;
  limits: {
    items: Record<GuideList, number>;
    links: Record<GuideList, number>;
    title: number;
    text: number;
    label: number;
    url: number;
  };
};

/** A field by its name, such as `boxes.0.title_de`. `most`: of characters. */
export function guideField({ fieldErrors, focus }: GuideFieldsProps, name: string, value: string, most: number) {
  return {
    name,
    defaultValue: value,
    error: fieldErrors[name],
    maxLength: most,
    lang: name.endsWith("_de") ? "de" : "en",
    autoComplete: "off",
    autoFocus: focus === name,
  };
}

/** A button that changes the form and saves nothing, such as `up:boxes.1`. */
export function guideChange({ focus }: GuideFieldsProps, value: string) {
  return {
    type: "submit",
    name: "change",
    value,
    size: "s",
    formNoValidate: true,
    autoFocus: focus === value,
  } as const;
}
