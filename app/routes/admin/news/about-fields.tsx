// Audience of news: everyone, or those of some games and game servers. Short lists show all choices, long ones search results.
import { useEffect, useRef, useState } from "react";
import { m } from "../../../paraglide/messages.js";
import { Button } from "../../../ui/button/button.tsx";
import { FormSection } from "../../../ui/form-sheet/form-sheet.tsx";
import { TextField } from "../../../ui/text-field/text-field.tsx";
import css from "./form.module.css";
import type { NewsForm } from "./form-texts.ts";

type Props = {
  shown: NewsForm;
  error: string | undefined;
  more: boolean;
  found: { focus: string | null } | undefined;
};

export function AboutFields({ shown, error, more, found }: Props) {
  const [scope, setScope] = useState(shown.scope);
  const list = useRef<HTMLFieldSetElement>(null);
  const finder = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (found?.focus) list.current?.querySelector<HTMLInputElement>(`[value="${found.focus}"]`)?.focus();
  }, [found]);
  useEffect(() => {
    if (error) list.current?.querySelector<HTMLInputElement>("input")?.focus();
  }, [error]);
  const scopes = [
    { value: "site", label: m.admin_news_about_site() },
    { value: "some", label: m.admin_news_about_some() },
  ];
  return (
    <FormSection title={m.admin_news_about()} note={m.admin_news_about_hint()}>
      <div className={css.scopes}>
        {scopes.map(({ value, label }) => (
          <label key={value} className={css.choice}>
            <input
              type="radio"
              name="scope"
              value={value}
              defaultChecked={value === shown.scope}
              onChange={() => setScope(value)}
            />
            {label}
          </label>
        ))}
      </div>
      <div className={css.some} data-scope={scope}>
        {more && (
          <div className={css.finder} ref={finder}>
            <TextField
              label={m.admin_news_about_find()}
              name="q"
              type="search"
              defaultValue={shown.q}
              maxLength={100}
              autoComplete="off"
              onKeyDown={(event) => {
                if (event.key !== "Enter") return;
                // Enter searches here, and doesn't save.
                event.preventDefault();
                finder.current?.querySelector("button")?.click();
              }}
            />
            <Button type="submit" name="act" value="find" variant="tonal" formNoValidate>
              {m.admin_news_about_find_act()}
            </Button>
          </div>
        )}
        {found && found.focus === null && <p role="status">{m.admin_news_about_none()}</p>}
        {shown.choices.length > 0 && (
          <fieldset className={css.choices} ref={list} aria-invalid={error ? true : undefined}>
            <legend>{m.admin_news_about_choose()}</legend>
            {shown.choices.map((choice) => (
              <label key={choice.value} className={css.choice}>
                <input
                  type="checkbox"
                  name="about"
                  value={choice.value}
                  defaultChecked={shown.about.includes(choice.value)}
                />
                <input type="hidden" name="choice" value={JSON.stringify(choice)} />
                <span>
                  {choice.name}
                  {choice.game !== null && <span className={css.of}> {choice.game}</span>}
                  {choice.hidden && <span className={css.mark}>{m.admin_news_about_hidden()}</span>}
                </span>
              </label>
            ))}
          </fieldset>
        )}
        {error && <p className={css.error}>{error}</p>}
      </div>
    </FormSection>
  );
}
