// Secrets for the chosen adapter: typed once, later shown only by their last characters.
import type { ShownSecrets } from "#domain/game-servers/adapter-secrets.ts";
import { ADAPTER_IDS, ADAPTER_SECRETS, type AdapterSecretName } from "#shared/adapters.ts";
import { m } from "../../../paraglide/messages.js";
import { FormRow } from "../../../ui/form-sheet/form-sheet.tsx";
import { CheckField } from "../../../ui/select-field/select-field.tsx";
import { TextField } from "../../../ui/text-field/text-field.tsx";
import css from "./form.module.css";

type Props = {
  /** Stored secrets. */
  kept: ShownSecrets;
  /** Longest secret. */
  longest: number;
};

/** Renders those of all adapters: the style sheet shows those of the chosen one, without script too. */
export function SecretFields({ kept, longest }: Props) {
  return ADAPTER_IDS.map((id) => {
    const names = ADAPTER_SECRETS.filter(({ adapter }) => adapter === id).map(({ name }) => name);
    if (names.length === 0) return null;
    return (
      <div key={id} className={css.only} data-of={id} data-typed-once="">
        {names.map((name) => (
          <SecretField key={name} name={name} kept={kept[name]} longest={longest} />
        ))}
      </div>
    );
  });
}

function SecretField({
  name,
  kept,
  longest,
}: {
  name: AdapterSecretName;
  kept: ShownSecrets[AdapterSecretName];
  longest: number;
}) {
  const field = (
    <TextField
      name={`secret_${name}`}
      label={m.admin_secret({ name })}
      hint={kept?.readable ? keptHint(kept.end) : m.admin_secret_hint({ name })}
      error={kept && !kept.readable ? m.admin_secret_unreadable() : null}
      type="password"
      autoComplete="new-password"
      spellCheck={false}
      maxLength={longest}
    />
  );
  if (!kept) return field;
  return (
    <FormRow>
      {field}
      <CheckField
        name={`forget_${name}`}
        label={m.admin_secret_forget()}
        hint={m.admin_secret_hint({ name })}
        defaultChecked={false}
      />
    </FormRow>
  );
}

const keptHint = (end: string): string => (end ? m.admin_secret_kept_end({ end }) : m.admin_secret_kept());
