// Editor of a guide's steps or boxes, with the button that adds one.
import { useId } from "react";
import { Button } from "../../../ui/button/button.tsx";
import css from "./guide.module.css";
import { type GuideFieldsProps, guideChange } from "./guide-field.ts";
import type { GuideItem } from "./guide-form.ts";
import { GuideItemFields } from "./guide-item-fields.tsx";
import { GUIDE_TEXTS } from "./guide-text.ts";

export function GuideListFields({ of, items }: { of: GuideFieldsProps; items: GuideItem[] }) {
  const { list, limits, fieldErrors } = of;
  const id = useId();
  const texts = GUIDE_TEXTS[list];
  return (
    <section className={css.list} aria-labelledby={id}>
      <div>
        <h2 id={id} className={css.title}>
          {texts.title()}
        </h2>
        {texts.note && <p className={css.note}>{texts.note()}</p>}
        {fieldErrors[list] && <p className={css.fault}>{fieldErrors[list]}</p>}
      </div>
      {items.length === 0 && <p className={css.empty}>{texts.empty()}</p>}
      {items.length > 0 && (
        <ol className={css.items}>
          {items.map((item, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they have no name of their own, and the list is made anew after each change
            <li key={place}>
              <GuideItemFields of={of} item={item} place={place} last={place === items.length - 1} />
            </li>
          ))}
        </ol>
      )}
      {items.length < limits.items[list] && (
        <p>
          <Button {...guideChange(of, `add:${list}`)} variant="outlined">
            {texts.add()}
          </Button>
        </p>
      )}
    </section>
  );
}
