// Setup steps outside the site: mail and backups. They show what is set, whether it works, and what to set.
import { useNow } from "../../../live/use-live.ts";
import { m } from "../../../paraglide/messages.js";
import { Fact, FactList } from "../../../ui/admin-tiles/admin-tiles.tsx";
import { Alert } from "../../../ui/alert/alert.tsx";
import { CopyButton } from "../../../ui/copy-button/copy-button.tsx";
import { AnswerNotice } from "../../../ui/notice/answer-notice.tsx";
import { RelativeTime } from "../../../ui/relative-time/relative-time.tsx";
import { backupRemedy } from "../backup-remedy.ts";
import { formatBytes } from "../format-bytes.ts";
import { SetupAct } from "./act.tsx";
import { BACKUP_FOLDER, BACKUP_SETTINGS, MAIL_SETTINGS, RESTART } from "./machine-lines.ts";
import css from "./setup.module.css";
import type { SetupAnswer, SetupData } from "./setup-actions.ts";

type Content<Is extends string> = Extract<SetupData["content"], { is: Is }>;

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

export function BackupStep({ content: { plan, state, trouble } }: { content: Content<"backup"> }) {
  const now = useNow();
  const { made_at, bytes, proven_at, error } = state;
  return (
    <>
      {plan ? (
        <p className={css.text}>{m.admin_setup_backup_plan({ hours: plan.everyH, keep: plan.keep })}</p>
      ) : (
        <ToSet text={m.admin_setup_backup_none()} settings={BACKUP_SETTINGS} first={BACKUP_FOLDER} />
      )}
      {error !== null && (
        <Alert tone="error">
          {m.admin_dash_backup_failed({ reason: error })} {trouble && backupRemedy(trouble)}
        </Alert>
      )}
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

/** Shows the settings to add at start. `first`: command to run on the machine before. */
function ToSet({ text, settings, first }: { text: string; settings: string; first?: string }) {
  return (
    <div className={css.outside}>
      <p className={css.text}>{text}</p>
      <p className={css.text}>{m.admin_setup_to_set()}</p>
      <Code text={settings} label={m.admin_setup_copy()} />
      <p className={css.text}>{m.admin_setup_to_run()}</p>
      <Code text={[first, RESTART].filter(Boolean).join(" && ")} label={m.admin_setup_copy_line()} />
    </div>
  );
}

function Code({ text, label }: { text: string; label: string }) {
  return (
    <div className={css.shownCode}>
      <code>{text}</code>
      <CopyButton text={text} label={m.copy()} accessibleName={label} />
    </div>
  );
}
