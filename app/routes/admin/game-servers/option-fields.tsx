// Adapter options in the game server form: those of the chosen adapter are shown.
import { ADAPTER_FACTS, ADAPTER_IDS, ADAPTER_OPTIONS, type AdapterOption } from "#shared/adapters.ts";
import type { FieldErrors } from "#shared/form-answer.ts";
import { m } from "../../../paraglide/messages.js";
import { tickHint } from "../../../ui/adapter-text/adapter-text.ts";
import { FormRow } from "../../../ui/form-sheet/form-sheet.tsx";
import { GameCombobox } from "../../../ui/game-picker/game-combobox.tsx";
import type { PickerGame } from "../../../ui/game-picker/picker-game.ts";
import { CheckField, SelectField } from "../../../ui/select-field/select-field.tsx";
import { TextField } from "../../../ui/text-field/text-field.tsx";
import css from "./form.module.css";
import { GREETINGS, greetingText, inputName, type OptionTexts, optionLabels, prefixInput } from "./option-texts.ts";

type Props = {
  values: OptionTexts;
  fieldErrors: FieldErrors;
  /** The query library's games. */
  types: readonly PickerGame[];
};

/** Renders the options of all adapters: the style sheet shows those of the chosen one, without script too. */
export function OptionFields(props: Props) {
  return ADAPTER_IDS.filter((id) => Object.keys(ADAPTER_FACTS[id].options).length > 0).map((id) => (
    <div key={id} className={css.only} data-of={id}>
      {ADAPTER_OPTIONS.filter((option) => option.adapter === id).map((option) => (
        <OptionInput key={option.name} option={option} {...props} />
      ))}
    </div>
  ));
}

function OptionInput({ option, values, fieldErrors, types }: Props & { option: AdapterOption }) {
  const input = inputName(option.name);
  const labels = optionLabels();
  const text = (name: string, path: string) => ({
    name,
    label: labels[name] ?? name,
    defaultValue: String(values[name] ?? ""),
    error: fieldErrors[`adapter_options.${path}`],
    autoComplete: "off",
  });
  switch (option.kind) {
    case "tick":
      return (
        <CheckField
          name={input}
          label={labels[input] ?? input}
          hint={tickHint(option.name)}
          defaultChecked={values[input] === true}
        />
      );
    case "game":
      return (
        <GameCombobox
          label={labels[input] ?? input}
          name={input}
          games={types}
          defaultValue={String(values[input] ?? "")}
          none={m.field_choose()}
          error={fieldErrors[`adapter_options.${option.name}`]}
        />
      );
    case "greeting":
      return (
        <FormRow>
          <SelectField
            {...text(input, option.name)}
            options={GREETINGS.map((value) => ({ value, label: greetingText(value) }))}
          />
          <TextField
            {...text(prefixInput(input), `${option.name}.prefixHex`)}
            autoCapitalize="none"
            spellCheck={false}
            maxLength={128}
            placeholder="01000000"
          />
        </FormRow>
      );
  }
}
