// Where the member is signed in, and ending it.
import { useNow } from "../../live/use-live.ts";
import { m } from "../../paraglide/messages.js";
import { Alert } from "../../ui/alert/alert.tsx";
import { Button } from "../../ui/button/button.tsx";
import { Form } from "../../ui/form/form.tsx";
import { RelativeTime } from "../../ui/relative-time/relative-time.tsx";
import { SettingsItem, SettingsList, SettingsSection } from "../../ui/settings-section/settings-section.tsx";
import type { SecurityText } from "./security-text.ts";

type Props = {
  t: SecurityText["sessions"];
  ended: boolean;
  sessions: {
    session_id: string;
    here: boolean;
    browser: string | null;
    system: string | null;
    /** Its own name; null: a browser. */
    program: string | null;
    ip: string | null;
    last_used_at: string;
    day: string;
  }[];
};

export function Devices({ t, ended, sessions }: Props) {
  const now = useNow();
  return (
    <SettingsSection title={t.title} about={t.about}>
      {ended && <Alert tone="good">{t.ended}</Alert>}
      <SettingsList label={t.list}>
        {sessions.map((session) => {
          const device = session.program ? t.program(session.program) : t.device(session.browser, session.system);
          return (
            <SettingsItem
              key={session.session_id}
              title={device}
              mark={session.here ? t.here : undefined}
              about={
                <>
                  {t.used} <RelativeTime at={session.last_used_at} now={now} />
                  {" · "}
                  {[session.ip, t.since(session.day)].filter(Boolean).join(" · ")}
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
                    aria-label={t.end_named(device)}
                  >
                    {t.end}
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
            {t.end_others}
          </Button>
        </Form>
      )}
    </SettingsSection>
  );
}
