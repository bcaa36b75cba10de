// Lists the member's sessions and ends them.
import { useNow } from "../../live/use-live.ts";
import { m } from "../../paraglide/messages.js";
import { Alert } from "../../ui/alert/alert.tsx";
import { Button } from "../../ui/button/button.tsx";
import { Form } from "../../ui/form/form.tsx";
import { RelativeTime } from "../../ui/relative-time/relative-time.tsx";
import { SettingsItem, SettingsList, SettingsSection } from "../../ui/settings-section/settings-section.tsx";

type Props = {
  ended: boolean;
  sessions: {
    session_id: string;
    here: boolean;
    browser: string | null;
    system: string | null;
    /** Name of the program; null: a browser. */
    program: string | null;
    ip: string | null;
    last_used_at: string;
    day: string;
  }[];
};

export function Devices({ ended, sessions }: Props) {
  const now = useNow();
  return (
    <SettingsSection title={m.account_devices_title()} about={m.account_devices_about()}>
      {ended && <Alert tone="good">{m.account_devices_ended()}</Alert>}
      <SettingsList label={m.account_devices_list()}>
        {sessions.map((session) => {
          const device = deviceText(session);
          return (
            <SettingsItem
              key={session.session_id}
              title={device}
              mark={session.here ? m.account_devices_here() : undefined}
              about={
                <>
                  {m.account_devices_used()} <RelativeTime at={session.last_used_at} now={now} />
                  {" · "}
                  {[session.ip, m.account_devices_since({ day: session.day })].filter(Boolean).join(" · ")}
                </>
              }
            >
              {!session.here && (
                <Form failed={m.failed_sessions()} preventScrollReset>
                  <input type="hidden" name="session_id" value={session.session_id} />
                  <Button
                    type="submit"
                    name="intent"
                    value="session-end"
                    variant="outlined"
                    size="s"
                    aria-label={m.account_devices_end_named({ device })}
                  >
                    {m.account_devices_end()}
                  </Button>
                </Form>
              )}
            </SettingsItem>
          );
        })}
      </SettingsList>
      {sessions.length > 1 && (
        <Form failed={m.failed_sessions()} preventScrollReset>
          <Button type="submit" name="intent" value="sessions-end-others" variant="tonal">
            {m.account_devices_end_others()}
          </Button>
        </Form>
      )}
    </SettingsSection>
  );
}

function deviceText({ program, browser, system }: Props["sessions"][number]): string {
  if (program) return m.account_devices_program({ name: program });
  if (browser && system) return m.account_devices_device({ browser, system });
  return browser ?? system ?? m.account_devices_unknown();
}
