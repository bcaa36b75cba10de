// Editor of one step or box of a guide: texts in both languages, links, and position.
import { useId } from "react";
import { m } from "../../../paraglide/messages.js";
import { Button } from "../../../ui/button/button.tsx";
import { FormRow } from "../../../ui/form-sheet/form-sheet.tsx";
import { TextArea } from "../../../ui/text-area/text-area.tsx";
import { TextField } from "../../../ui/text-field/text-field.tsx";
import css from "./guide.module.css";
import { type GuideFieldsProps, guideChange, guideField } from "./guide-field.ts";
import type { GuideItem } from "./guide-form.ts";
import { GuideLinkFields } from "./guide-link-fields.tsx";
import { GUIDE_TEXTS } from "./guide-text.ts";

const NO_LINK_YET = [{ url: "", label_en: "", label_de: "" }];

type Props = { of: GuideFieldsProps; item: GuideItem; place: number; last: boolean };

export function GuideItemFields({ of, item, place, last }: Props) {
  const { list, limits, fieldErrors } = of;
  const id = useId();
  const texts = GUIDE_TEXTS[list];
  const number = place + 1;
  const at = `${list}.${place}`;
  const links = item.links.length > 0 ? item.links : NO_LINK_YET;
  const text = (name: "title_en" | "title_de" | "text_en" | "text_de", most: number) =>
    guideField(of, `${at}.${name}`, item[name], most);
  return (
    <section className={css.item} aria-labelledby={id}>
      <div className={css.head}>
        <h3 id={id} className={css.number}>
          {texts.item({ number })}
        </h3>
        <div className={css.acts}>
          <Button
            {...guideChange(of, `up:${at}`)}
            variant="tonal"
            disabled={place === 0}
            aria-label={texts.up({ number })}
          >
            ↑
          </Button>
          <Button
            {...guideChange(of, `down:${at}`)}
            variant="tonal"
            disabled={last}
            aria-label={texts.down({ number })}
          >
            ↓
          </Button>
          <Button {...guideChange(of, `remove:${at}`)} variant="tonal" aria-label={texts.remove({ number })}>
            {m.admin_remove()}
          </Button>
        </div>
      </div>
      <FormRow>
        <TextField {...text("title_en", limits.title)} label={m.admin_guide_title_en()} required />
        <TextField {...text("title_de", limits.title)} label={m.admin_guide_title_de()} />
      </FormRow>
      <FormRow>
        <TextArea {...text("text_en", limits.text)} label={m.admin_guide_text_en()} rows={3} />
        <TextArea {...text("text_de", limits.text)} label={m.admin_guide_text_de()} rows={3} />
      </FormRow>
      {links.map((link, its) => (
        <GuideLinkFields
          // biome-ignore lint/suspicious/noArrayIndexKey: links have no name of their own, and the list is made anew after each change
          key={its}
          of={of}
          at={`${at}.links.${its}`}
          link={link}
          box={number}
          number={links.length > 1 ? its + 1 : null}
        />
      ))}
      {fieldErrors[`${at}.links`] && <p className={css.fault}>{fieldErrors[`${at}.links`]}</p>}
      {links.length < limits.links[list] && (
        <p>
          <Button
            {...guideChange(of, `add:${at}.links`)}
            variant="tonal"
            aria-label={m.admin_guide_link_add_to({ number })}
          >
            {m.admin_guide_link_add()}
          </Button>
        </p>
      )}
    </section>
  );
}
