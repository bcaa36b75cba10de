// Form that connects a Discord channel by its webhook.
import { language } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";
import { Alert } from "../../../ui/alert/alert.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { CheckField, SelectField } from "../../../ui/select-field/select-field.tsx";
import { TextField } from "../../../ui/text-field/text-field.tsx";
import css from "./channels.module.css";

type Props = {
  most: number;
  given: { name: string; locale: string; with_card: boolean; with_posts: boolean } | undefined;
  /** Whether the admin returns from re-authentication. */
  back: boolean;
  errors: Partial<Record<string, string>>;
  busy: boolean;
};

export function ConnectForm({ most, given, back, errors, busy }: Props) {
  return (
    <Form failed={m.failed_discord()} className={css.form}>
      <h2>{m.admin_discord_add()}</h2>
      <p className={css.note}>{m.admin_discord_how()}</p>
      {back && <Alert tone="plain">{m.admin_discord_url_again()}</Alert>}
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
      <CheckField name="with_card" label={m.admin_discord_with_card()} defaultChecked={given?.with_card ?? true} />
      <CheckField name="with_posts" label={m.admin_discord_with_posts()} defaultChecked={given?.with_posts ?? true} />
      <div>
        <Button type="submit" loading={busy}>
          {m.admin_discord_make()}
        </Button>
      </div>
    </Form>
  );
}
