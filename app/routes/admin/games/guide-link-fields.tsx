// Editor of one link of a step or box; where there are several, each has a number and can be removed.
import { m } from "../../../paraglide/messages.js";
import { Button } from "../../../ui/button/button.tsx";
import { FormRow } from "../../../ui/form-sheet/form-sheet.tsx";
import { TextField } from "../../../ui/text-field/text-field.tsx";
import css from "./guide.module.css";
import { type GuideFieldsProps, guideChange, guideField } from "./guide-field.ts";
import type { GuideItem } from "./guide-form.ts";

type Props = {
  of: GuideFieldsProps;
  /** Form name, such as `boxes.0.links.1`. */
  at: string;
  link: GuideItem["links"][number];
  /** Number of its box, and of the link where there are several. */
  box: number;
  number: number | null;
};

export function GuideLinkFields({ of, at, link, box, number }: Props) {
  const { limits } = of;
  const labels =
    number === null
      ? { url: m.admin_guide_url(), en: m.admin_guide_label_en(), de: m.admin_guide_label_de() }
      : {
          url: m.admin_guide_url_of({ number }),
          en: m.admin_guide_label_en_of({ number }),
          de: m.admin_guide_label_de_of({ number }),
        };
  return (
    <div className={css.link} data-several={number === null ? undefined : ""}>
      <FormRow of={3}>
        <TextField
          {...guideField(of, `${at}.url`, link.url, limits.url)}
          label={labels.url}
          placeholder="https://"
          spellCheck={false}
        />
        <TextField {...guideField(of, `${at}.label_en`, link.label_en, limits.label)} label={labels.en} />
        <TextField {...guideField(of, `${at}.label_de`, link.label_de, limits.label)} label={labels.de} />
      </FormRow>
      {number !== null && (
        <Button
          {...guideChange(of, `remove:${at}`)}
          variant="tonal"
          aria-label={m.admin_guide_link_remove({ link: number, box })}
        >
          {m.admin_remove()}
        </Button>
      )}
    </div>
  );
}
