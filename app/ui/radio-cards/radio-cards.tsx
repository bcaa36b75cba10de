// Radio group with a card for each option.
import type { ReactNode } from "react";
import css from "./radio-cards.module.css";

type Props = {
  label: string;
  name: string;
  chosen: string;
  options: { value: string; label: string; lang?: string; picture?: ReactNode }[];
};

export function RadioCards({ label, name, chosen, options }: Props) {
  return (
    <fieldset className={css.group}>
      <legend className={css.label}>{label}</legend>
      <div className={css.cards}>
        {options.map(({ value, label, lang, picture }) => (
          <label key={value} className={css.card}>
            {picture}
            <span className={css.words}>
              <input type="radio" name={name} value={value} defaultChecked={value === chosen} className={css.input} />
              <span lang={lang}>{label}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
