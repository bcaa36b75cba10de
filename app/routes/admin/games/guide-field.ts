// Props of all fields and buttons in a guide's editor.
import type { FieldErrors } from "#shared/form-answer.ts";
import type { GuideList } from "./guide-form.ts";

export type GuideFieldsProps = {
  list: GuideList;
  /** Texts by field name. */
  fieldErrors: FieldErrors;
  /** Field name or button value with the initial focus. */
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

/** Props of a field, such as `boxes.0.title_de`. `most`: in characters. */
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

/** Props of a button that changes the form without saving, such as `up:boxes.1`. */
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
