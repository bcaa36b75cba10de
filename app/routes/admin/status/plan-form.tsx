// Fields of a plan, with a preview of its times: in its own zone and the writer's.

import { type ChangeEvent, useEffect, useRef, useState } from "react";
import type { PlanTexts } from "#domain/plans/plan-shape.ts";
import type { FieldErrors } from "#shared/form-answer.ts";
import { LONGEST_PLAN_MINUTES, PLAN_KINDS, REPEATS } from "#shared/plans.ts";
import { clockText, spanText } from "#shared/text/date-text.ts";
import { here, language } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";
import { FormRow } from "../../../ui/form-sheet/form-sheet.tsx";
import { useReaderZone } from "../../../ui/reader-zone.ts";
import { SelectField } from "../../../ui/select-field/select-field.tsx";
import { TextField } from "../../../ui/text-field/text-field.tsx";
import type { PlanPreview } from "./plan-times.ts";
import css from "./status.module.css";
import { TitleFields } from "./title-fields.tsx";

const KINDS = { restart: m.admin_plan_kind_restart, maintenance: m.admin_plan_kind_maintenance };
const HOW_OFTEN = {
  none: m.admin_plan_repeats_none,
  daily: m.admin_plan_repeats_daily,
  weekly: m.admin_plan_repeats_weekly,
};
/** Pause in typing before a request. */
const PAUSE_MS = 250;

type Props = {
  /** Initial values. An empty zone means the writer's. */
  texts: PlanTexts;
  errors: FieldErrors;
  about: { value: string; label: string }[];
  zones: string[];
  titleMax: number;
  preview: PlanPreview | null;
};

export function PlanFormFields({ texts, errors, about, zones, titleMax, preview }: Props) {
  const own = useReaderZone().timeZone;
  const zone = texts.time_zone || (zones.includes(own) ? own : "UTC");
  const { shown, look } = usePreview(preview);
  return (
    <div className={css.plan} onChange={look}>
      <div className={css.fields}>
        <FormRow>
          <SelectField
            name="kind"
            label={m.admin_plan_kind()}
            options={PLAN_KINDS.map((kind) => ({ value: kind, label: KINDS[kind]() }))}
            defaultValue={texts.kind}
            error={errors.kind}
          />
          <SelectField
            name="about"
            label={m.admin_plan_about()}
            hint={m.admin_plan_about_hint()}
            options={about}
            defaultValue={texts.about}
            error={errors.about}
          />
        </FormRow>
        <FormRow>
          <TextField
            name="first_local"
            type="datetime-local"
            label={m.admin_plan_first()}
            required
            defaultValue={texts.first_local}
            error={errors.first_local}
          />
          <SelectField
            // Only the browser knows its zone.
            key={zone}
            name="time_zone"
            label={m.admin_plan_zone()}
            hint={m.admin_plan_zone_hint()}
            options={zones.map((name) => ({ value: name, label: name.replaceAll("_", " ") }))}
            defaultValue={zone}
            error={errors.time_zone}
          />
        </FormRow>
        <FormRow>
          <SelectField
            name="repeats"
            label={m.admin_plan_repeats()}
            options={REPEATS.map((repeats) => ({ value: repeats, label: HOW_OFTEN[repeats]() }))}
            defaultValue={texts.repeats}
            error={errors.repeats}
          />
          <TextField
            name="minutes"
            type="number"
            inputMode="numeric"
            min={1}
            max={LONGEST_PLAN_MINUTES.none}
            label={m.admin_plan_minutes()}
            hint={m.admin_plan_minutes_hint()}
            required
            defaultValue={texts.minutes}
            error={errors.minutes}
          />
        </FormRow>
        <TitleFields
          labels={{ en: m.admin_plan_title_en(), de: m.admin_plan_title_de() }}
          hint={m.admin_plan_title_hint()}
          maxLength={titleMax}
          given={texts}
          errors={errors}
        />
      </div>
      <Preview preview={shown} />
    </div>
  );
}

/** Returns the times of the current input; the previous ones while loading. */
function usePreview(first: PlanPreview | null) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const asked = useRef("");
  const [shown, setShown] = useState(first);
  useEffect(() => () => clearTimeout(timer.current), []);
  function look({ target }: ChangeEvent<HTMLElement>) {
    const { form } = target as HTMLInputElement;
    if (!form) return;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const given = new FormData(form);
      const query = new URLSearchParams();
      for (const name of ["first_local", "time_zone", "repeats", "minutes"])
        query.set(name, String(given.get(name) ?? ""));
      // Uses plain fetch: a failing fetcher would replace the form with an error page and lose the input.
      const wanted = query.toString();
      asked.current = wanted;
      void askPreview(query).then((answer) => answer && asked.current === wanted && setShown(answer.preview));
    }, PAUSE_MS);
  }
  return { shown, look };
}

/** Null if no answer came; the shown times stay. */
async function askPreview(query: URLSearchParams): Promise<{ preview: PlanPreview | null } | null> {
  try {
    const answer = await fetch(`${here("/admin/status/preview")}?${query}`, {
      headers: { Accept: "application/json" },
    });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

function Preview({ preview }: { preview: PlanPreview | null }) {
  const own = useReaderZone().timeZone;
  const locale = language();
  const elsewhere = preview !== null && own !== preview.time_zone;
  return (
    <section className={css.preview} aria-labelledby="preview" aria-live="polite">
      <h2 id="preview">{m.admin_plan_preview()}</h2>
      {preview === null ? (
        <p className={css.quiet}>{m.admin_plan_preview_wait()}</p>
      ) : preview.times.length === 0 ? (
        <p>{m.admin_plan_preview_none()}</p>
      ) : (
        <>
          <p className={css.quiet}>{preview.time_zone.replaceAll("_", " ")}</p>
          <ol className={css.times}>
            {preview.times.map(({ starts, ends }) => (
              <li key={starts}>
                <time dateTime={new Date(starts).toISOString()}>
                  {spanText(starts, ends, locale, preview.time_zone, true)}
                </time>
                {elsewhere && (
                  <span className={css.quiet}>
                    {m.admin_plan_preview_here({
                      time: clockText(starts, locale, own) + (own === "UTC" ? " UTC" : ""),
                    })}
                  </span>
                )}
                {clockText(starts, locale, preview.time_zone) !== preview.clock && (
                  <span className={css.quiet}>{m.admin_plan_preview_skipped({ time: preview.clock })}</span>
                )}
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
}
