// The steps that are set where the site is started: mail and backups. They say what is set, whether it works, and what to set.
import { useNow } from "../../../live/use-live.ts";
import { m } from "../../../paraglide/messages.js";
import { Fact, FactList } from "../../../ui/admin-tiles/admin-tiles.tsx";
import { Alert } from "../../../ui/alert/alert.tsx";
import { CopyButton } from "../../../ui/copy-button/copy-button.tsx";
import { AnswerNotice } from "../../../ui/notice/answer-notice.tsx";
import { RelativeTime } from "../../../ui/relative-time/relative-time.tsx";
import { formatBytes } from "../format-bytes.ts";
import { SetupAct } from "./act.tsx";
import css from "./setup.module.css";
import type { SetupAnswer, SetupData } from "./setup-actions.ts";

type Content<Is extends string> = Extract<SetupData["content"], { is: Is }>;

const MAIL_SETTINGS = "SMTP_URL=smtp://user:password@mail.example.org:587\nMAIL_FROM=site@example.org";
const BACKUP_SETTINGS = "BACKUP_DIR=/mnt/backups";

export function MailStep({ content, answer }: { content: Content<"mail">; answer: SetupAnswer | undefined }) {
  const { server, from, email } = content;
  if (server === null) return <ToSet text={m.admin_setup_mail_none()} settings={MAIL_SETTINGS} />;
  return (
    <div className={css.outside}>
      <FactList>
        <Fact label={m.admin_setup_mail_server()}>{server}</Fact>
        <Fact label={m.admin_setup_mail_from()}>{from}</Fact>
        <Fact label={m.admin_setup_mail_to()}>{email}</Fact>
      </FactList>
      <SetupAct
        intent="test-mail"
        look="tonal"
        failed={m.failed_test_mail()}
        notice={
          <AnswerNotice answer={answer} done={m.admin_setup_mail_sent({ email: answer?.done?.mailed ?? email })} />
        }
      >
        {m.admin_setup_mail_test()}
      </SetupAct>
    </div>
  );
}

export function BackupStep({ content: { plan, state } }: { content: Content<"backup"> }) {
  const now = useNow();
  const { made_at, bytes, proven_at, error } = state;
  return (
    <>
      {plan ? (
        <p className={css.text}>{m.admin_setup_backup_plan({ hours: plan.everyH, keep: plan.keep })}</p>
      ) : (
        <ToSet text={m.admin_setup_backup_none()} settings={BACKUP_SETTINGS} />
      )}
      {error !== null && <Alert tone="error">{m.admin_dash_backup_failed({ reason: error })}</Alert>}
      <FactList>
        {plan && <Fact label={m.admin_setup_backup_folder()}>{plan.dir}</Fact>}
        <Fact label={m.admin_dash_backup()}>
          {made_at === null ? m.admin_dash_backup_never() : <RelativeTime at={made_at} now={now} />}
          {bytes !== null && ` · ${formatBytes(bytes)}`}
        </Fact>
        <Fact label={m.admin_dash_backup_proven()}>
          {proven_at === null ? m.admin_dash_backup_never() : <RelativeTime at={proven_at} now={now} />}
        </Fact>
      </FactList>
    </>
  );
}

/** Nothing is set: what is to be written where the site is started. */
function ToSet({ text, settings }: { text: string; settings: string }) {
  return (
    <div className={css.outside}>
      <p className={css.text}>{text}</p>
      <p className={css.text}>{m.admin_setup_to_set()}</p>
      <div className={css.shownCode}>
        <code>{settings}</code>
        <CopyButton text={settings} label={m.copy()} accessibleName={m.admin_setup_copy()} />
      </div>
    </div>
  );
}
