// Names in games that a member hides from player lists.
import { useLocation, useNavigation } from "react-router";
import { m } from "../../paraglide/messages.js";
import { Alert } from "../../ui/alert/alert.tsx";
import { Button } from "../../ui/button/button.tsx";
import { Form } from "../../ui/form/form.tsx";
import { KeptText } from "../../ui/form/kept-text.tsx";
import { SettingsSection, settingsForm } from "../../ui/settings-section/settings-section.tsx";
import { TextArea } from "../../ui/text-area/text-area.tsx";
import css from "./hidden-names.module.css";

/** `typed`: the refused input, to correct. */
export function HiddenNames({
  names,
  typed,
  error,
  problem,
  saved,
}: {
  names: string[];
  typed: string | null;
  error: string | undefined;
  /** Why nothing was saved, if no field is wrong. */
  problem: string | null;
  saved: boolean;
}) {
  const { pathname } = useLocation();
  const intent = useNavigation().formData?.get("intent");
  return (
    <div id="player-names" className={css.names}>
      <SettingsSection title={m.account_names_title()} about={m.account_names_about()}>
        <Form failed={m.failed_profile()} action={pathname} className={settingsForm} preventScrollReset>
          <input type="hidden" name="intent" value="hide-names" />
          <KeptText of="names" />
          <TextArea
            key={names.join("\n")}
            label={m.account_names_label()}
            name="player_names"
            hint={m.account_names_hint()}
            error={error}
            rows={3}
            maxLength={600}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            defaultValue={typed ?? names.join("\n")}
          />
          {problem && <Alert tone="error">{problem}</Alert>}
          {saved && !intent && <Alert tone="good">{m.account_names_saved()}</Alert>}
          <Button type="submit" loading={intent === "hide-names"}>
            {m.account_save()}
          </Button>
        </Form>
      </SettingsSection>
    </div>
  );
}
