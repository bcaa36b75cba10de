// One step of a guide in its editor.
import { useId } from "react";
import type { GuideForm } from "#domain/game-shape.ts";
import { m } from "../../paraglide/messages.js";
import { Button } from "../../ui/button/button.tsx";
import { FormRow } from "../../ui/form-sheet/form-sheet.tsx";
import { TextArea } from "../../ui/text-area/text-area.tsx";
import { TextField } from "../../ui/text-field/text-field.tsx";
import css from "./game-guide.module.css";

type Step = GuideForm[number];
type Props = {
  step: Step;
  place: number;
  last: boolean;
  faults: Record<string, string>;
  limits: { title: number; text: number; label: number; url: number };
};

export function GuideStepFields({ step, place, last, faults, limits }: Props) {
  const id = useId();
  const number = place + 1;
  const text = (name: keyof Step, label: string, most: number) => ({
    name: `${place}.${name}`,
    label,
    defaultValue: step[name],
    error: faults[`${place}.${name}`],
    maxLength: most,
    lang: name.endsWith("_de") ? "de" : "en",
    autoComplete: "off",
  });
  return (
    <section className={css.step} aria-labelledby={id}>
      <div className={css.head}>
        <h2 id={id} className={css.number}>
          {m.admin_guide_step({ number })}
        </h2>
        <div className={css.acts}>
          <Button
            type="submit"
            name="change"
            value={`up:${place}`}
            variant="tonal"
            size="s"
            disabled={place === 0}
            formNoValidate
            aria-label={m.admin_guide_up({ number })}
          >
            ↑
          </Button>
          <Button
            type="submit"
            name="change"
            value={`down:${place}`}
            variant="tonal"
            size="s"
            disabled={last}
            formNoValidate
            aria-label={m.admin_guide_down({ number })}
          >
            ↓
          </Button>
          <Button
            type="submit"
            name="change"
            value={`remove:${place}`}
            variant="tonal"
            size="s"
            formNoValidate
            aria-label={m.admin_guide_remove({ number })}
          >
            {m.admin_remove()}
          </Button>
        </div>
      </div>
      <FormRow>
        <TextField {...text("title_en", m.admin_guide_title_en(), limits.title)} required />
        <TextField {...text("title_de", m.admin_guide_title_de(), limits.title)} />
      </FormRow>
      <FormRow>
        <TextArea {...text("text_en", m.admin_guide_text_en(), limits.text)} rows={3} />
        <TextArea {...text("text_de", m.admin_guide_text_de(), limits.text)} rows={3} />
      </FormRow>
      <FormRow of={3}>
        <TextField {...text("url", m.admin_guide_url(), limits.url)} placeholder="https://" spellCheck={false} />
        <TextField {...text("label_en", m.admin_guide_label_en(), limits.label)} />
        <TextField {...text("label_de", m.admin_guide_label_de(), limits.label)} />
      </FormRow>
    </section>
  );
}
