// The form that connects a channel of Discord by its webhook.
import { language } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";
import { Button } from "../../../ui/button/button.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { CheckField, SelectField } from "../../../ui/select-field/select-field.tsx";
import { TextField } from "../../../ui/text-field/text-field.tsx";
import css from "./channels.module.css";

type Props = {
  most: number;
  given: { name: string; locale: string } | undefined;
  errors: Partial<Record<string, string>>;
  busy: boolean;
};

export function ConnectForm({ most, given, errors, busy }: Props) {
  return (
    <Form failed={m.failed_discord()} className={css.form}>
      <h2>{m.admin_discord_add()}</h2>
      <p className={css.note}>{m.admin_discord_how()}</p>
      <input type="hidden" name="intent" value="connect" />
      <TextField
        name="name"
        label={m.admin_discord_name()}
        required
        maxLength={most}
        autoComplete="off"
        defaultValue={given?.name}
        error={errors.name}
      />
      <TextField
        name="url"
        label={m.admin_discord_url()}
        hint={m.admin_discord_url_hint()}
        type="password"
        required
        maxLength={400}
        autoComplete="off"
        spellCheck={false}
        error={errors.url}
      />
      <SelectField
        name="locale"
        label={m.admin_discord_locale()}
        options={[
          { value: "en", label: "English" },
          { value: "de", label: "Deutsch" },
        ]}
        defaultValue={given?.locale || language()}
      />
      <CheckField name="with_card" label={m.admin_discord_with_card()} defaultChecked />
      <CheckField name="with_posts" label={m.admin_discord_with_posts()} defaultChecked />
      <div>
        <Button type="submit" loading={busy}>
          {m.admin_discord_make()}
        </Button>
      </div>
    </Form>
  );
}
