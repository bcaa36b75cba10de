// Notification settings of a member: mail, quiet hours, daily digest, and devices.
import { redirect, useLocation, useNavigation } from "react-router";
import { z } from "zod";
import {
  databaseKnowsZone,
  findPreferences,
  type Preferences,
  preferencesShape,
  savePreferences,
} from "#domain/notifications/preferences.ts";
import { endTarget, listTargets } from "#domain/notifications/targets.ts";
import { addressIn } from "#shared/locale.ts";
import { appContext } from "#web/context.ts";
import { handleForm, refuse, refuseFields, signedIn, textOf } from "#web/forms/handle-form.ts";
import { requireMember } from "#web/guards.ts";
import { useNow } from "../../live/use-live.ts";
import { m } from "../../paraglide/messages.js";
import { Alert } from "../../ui/alert/alert.tsx";
import { Button } from "../../ui/button/button.tsx";
import { Form } from "../../ui/form/form.tsx";
import { useAnswer } from "../../ui/form/use-answer.ts";
import { Link } from "../../ui/link/link.tsx";
import { PageTitle } from "../../ui/page-title/page-title.tsx";
import { RadioCards } from "../../ui/radio-cards/radio-cards.tsx";
import { useReaderZone } from "../../ui/reader-zone.ts";
import { RelativeTime } from "../../ui/relative-time/relative-time.tsx";
import { CheckField, SelectField } from "../../ui/select-field/select-field.tsx";
import {
  SettingsItem,
  SettingsList,
  SettingsSection,
  settingsForm,
} from "../../ui/settings-section/settings-section.tsx";
import type { Route } from "./+types/notifications";
import css from "./notifications.module.css";

export async function loader({ context, url }: Route.LoaderArgs) {
  const { user_id, email } = requireMember({ context, url });
  const { db } = context.get(appContext);
  const [preferences, targets] = await Promise.all([findPreferences(db, user_id), listTargets(db, user_id)]);
  return {
    email,
    preferences,
    devices: targets
      .filter(({ kind, dead_at }) => kind === "push" && dead_at === null)
      .map(({ target_id, created_at, last_seen_at }) => ({
        target_id,
        created_at: created_at.toISOString(),
        last_seen_at: last_seen_at.toISOString(),
      })),
  };
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: signedIn,
    read: (form) => ({
      mail_on: form.has("mail_on"),
      digest: textOf(form, "digest", 10),
      quiet: form.has("quiet"),
      quiet_from: textOf(form, "quiet_from", 5),
      quiet_to: textOf(form, "quiet_to", 5),
      time_zone: textOf(form, "time_zone", 60),
      target_id: textOf(form, "target_id", 36),
    }),
    async act({ given, intent, app, locale, member }) {
      const page = addressIn(locale, "/user/settings/notifications");
      if (intent === "end-device") {
        const target = z.uuid().safeParse(given.target_id);
        if (!target.success) return refuse(422, m.account_notifications_no_device());
        await endTarget(app.db, target.data, member.user_id);
        return redirect(`${page}?saved=device`);
      }
      const read = readPreferences(given);
      if (read.error?.issues.some(({ path }) => path[0] !== "time_zone"))
        return refuseFields({ quiet_to: m.account_notifications_quiet_wrong() });
      if (!read.success || !(await databaseKnowsZone(app.db, read.data.time_zone)))
        return refuseFields({ time_zone: m.account_notifications_zone_wrong() });
      await savePreferences(app.db, member.user_id, read.data);
      return redirect(`${page}?saved=preferences`);
    },
  });
}

type Given = {
  mail_on: boolean;
  digest: string;
  quiet: boolean;
  quiet_from: string;
  quiet_to: string;
  time_zone: string;
};

function readPreferences({ mail_on, digest, quiet, quiet_from, quiet_to, time_zone }: Given) {
  return preferencesShape.safeParse({
    mail_on,
    digest,
    quiet_from: quiet ? minutesOf(quiet_from) : null,
    quiet_to: quiet ? minutesOf(quiet_to) : null,
    time_zone,
  });
}

/** Converts `22:30` to minutes of the day; NaN for anything else. */
function minutesOf(text: string): number {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  return Number(hours) * 60 + Number(minutes);
}

const timeOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;

/** Every half hour of the day, and the chosen time. */
const times = (chosen: string): string[] =>
  [...new Set([...Array.from({ length: 48 }, (_, at) => timeOf(at * 30)), chosen])].sort();

export default function NotificationsPage({ loaderData, ...props }: Route.ComponentProps) {
  const answer = useAnswer(props.actionData);
  const location = useLocation();
  const now = useNow();
  const intent = useNavigation().formData?.get("intent");
  const saved = answer ? null : new URLSearchParams(location.search).get("saved");
  const shown = answer && !answer.done ? answer.given : given(loaderData.preferences);
  return (
    <>
      <PageTitle>{m.account_notifications_title()}</PageTitle>
      <SettingsSection
        title={m.account_notifications_title()}
        about={
          <>
            <p>{m.account_notifications_about()}</p>
            <p>
              <Link to="/following">{m.tell_all()}</Link>
            </p>
          </>
        }
      >
        {answer?.problem && <Alert tone="error">{answer.problem}</Alert>}
        <Form
          key={JSON.stringify(loaderData.preferences)}
          failed={m.failed_notifications()}
          action={location.pathname}
          className={settingsForm}
          preventScrollReset
        >
          <input type="hidden" name="intent" value="save" />
          <CheckField
            label={m.account_notifications_mail()}
            hint={m.account_notifications_mail_hint({ email: loaderData.email })}
            name="mail_on"
            defaultChecked={shown.mail_on}
          />
          <RadioCards
            label={m.account_notifications_digest()}
            name="digest"
            chosen={shown.digest}
            options={[
              { value: "none", label: m.account_notifications_digest_none() },
              { value: "daily", label: m.account_notifications_digest_daily() },
            ]}
          />
          <p className={css.hint}>{m.account_notifications_digest_hint()}</p>
          <QuietHours
            {...shown}
            saved={loaderData.preferences.quiet_from !== null || loaderData.preferences.digest !== "none"}
            errors={answer?.fieldErrors ?? {}}
          />
          {saved === "preferences" && !intent && <Alert tone="good">{m.account_saved()}</Alert>}
          <Button type="submit" loading={intent === "save"}>
            {m.account_save()}
          </Button>
        </Form>
      </SettingsSection>
      <SettingsSection title={m.account_notifications_devices()} about={m.account_notifications_devices_about()}>
        {saved === "device" && <Alert tone="good">{m.account_notifications_device_ended()}</Alert>}
        {loaderData.devices.length === 0 ? (
          <p className={css.quiet}>{m.account_notifications_no_devices()}</p>
        ) : (
          <SettingsList label={m.account_notifications_devices()}>
            {loaderData.devices.map(({ target_id, created_at, last_seen_at }) => (
              <SettingsItem
                key={target_id}
                title={
                  <>
                    {m.account_notifications_device()} <RelativeTime at={created_at} now={now} />
                  </>
                }
                about={
                  <>
                    {m.account_notifications_seen()} <RelativeTime at={last_seen_at} now={now} />
                  </>
                }
              >
                <Form failed={m.failed_notifications()} action={location.pathname} preventScrollReset>
                  <input type="hidden" name="target_id" value={target_id} />
                  <Button type="submit" name="intent" value="end-device" variant="outlined" size="s">
                    {m.account_notifications_device_end()}
                  </Button>
                </Form>
              </SettingsItem>
            ))}
          </SettingsList>
        )}
      </SettingsSection>
    </>
  );
}

/** Values of the form: quiet hours that are off propose a night. */
const given = ({ mail_on, digest, quiet_from, quiet_to, time_zone }: Preferences): Given => ({
  mail_on,
  digest,
  quiet: quiet_from !== null,
  quiet_from: timeOf(quiet_from ?? 22 * 60),
  quiet_to: timeOf(quiet_to ?? 8 * 60),
  time_zone,
});

type QuietProps = Given & {
  /** Whether a time zone was ever chosen; otherwise the browser's is proposed. */
  saved: boolean;
  errors: Record<string, string | undefined>;
};

function QuietHours({ quiet, quiet_from, quiet_to, time_zone, saved, errors }: QuietProps) {
  const { timeZone } = useReaderZone();
  const zone = saved || time_zone !== "UTC" ? time_zone : timeZone;
  const zones = [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone"), zone])].sort();
  const select = (name: string, label: string, chosen: string, error?: string) => (
    <SelectField
      label={label}
      name={name}
      defaultValue={chosen}
      error={error}
      options={times(chosen).map((time) => ({ value: time, label: time }))}
    />
  );
  return (
    <fieldset className={css.hours}>
      <legend className={css.legend}>{m.account_notifications_quiet_title()}</legend>
      <CheckField
        label={m.account_notifications_quiet()}
        hint={m.account_notifications_quiet_hint()}
        name="quiet"
        defaultChecked={quiet}
      />
      <div className={css.times}>
        {select("quiet_from", m.account_notifications_quiet_from(), quiet_from, errors.quiet_from)}
        {select("quiet_to", m.account_notifications_quiet_to(), quiet_to, errors.quiet_to)}
      </div>
      <SelectField
        key={zone}
        label={m.account_notifications_zone()}
        name="time_zone"
        defaultValue={zone}
        error={errors.time_zone}
        options={zones.map((name) => ({ value: name, label: name.replaceAll("_", " ") }))}
      />
    </fieldset>
  );
}
