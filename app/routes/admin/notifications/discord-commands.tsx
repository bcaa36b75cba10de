// Shows the slash commands: whether they are set up, the address for Discord, and a button to register them.
import { m } from "../../../paraglide/messages.js";
import { Button } from "../../../ui/button/button.tsx";
import { CopyBlock } from "../../../ui/copy-block/copy-block.tsx";
import { Form } from "../../../ui/form/form.tsx";
import css from "./channels.module.css";

/** `client_id`: null until all settings exist. */
export function DiscordCommands(props: { endpoint: string; client_id: string | null; busy: boolean }) {
  const { endpoint, client_id, busy } = props;
  const install = `https://discord.com/oauth2/authorize?client_id=${client_id}&scope=applications.commands`;
  return (
    <section className={css.form}>
      <h2>{m.admin_discord_commands()}</h2>
      <p className={css.note}>{m.admin_discord_commands_note()}</p>
      <CopyBlock label={m.admin_discord_commands_endpoint()} text={endpoint} />
      {client_id === null ? (
        <p className={css.note}>{m.admin_discord_commands_unset()}</p>
      ) : (
        <>
          <Form failed={m.failed_discord()}>
            <input type="hidden" name="intent" value="register" />
            <Button type="submit" variant="tonal" loading={busy}>
              {m.admin_discord_commands_register()}
            </Button>
          </Form>
          <p>
            <a href={install} target="_blank" rel="noopener">
              {m.admin_discord_commands_install()}
            </a>
          </p>
        </>
      )}
    </section>
  );
}
