// Shows one channel: state, test with its answer, new secret, turning it on again.
import type { ReactNode } from "react";
import { data, useNavigation, useSearchParams } from "react-router";
import {
  findChannel,
  listChannels,
  renewWebhookSecret,
  reviveChannel,
  serviceName,
} from "#domain/notifications/operator-channels.ts";
import type { ChannelTest } from "#domain/notifications/test-service.ts";
import { appContext, siteContext } from "#web/context.ts";
import { done, handleForm, permitted, refuse, refuseForNow } from "#web/forms/handle-form.ts";
import { requireFreshSession, requirePermission } from "#web/guards.ts";
import { formatNumber } from "../../../language.ts";
import { useNow } from "../../../live/use-live.ts";
import { m } from "../../../paraglide/messages.js";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { Fact, FactList } from "../../../ui/admin-tiles/admin-tiles.tsx";
import { Alert } from "../../../ui/alert/alert.tsx";
import { Button, ButtonLink } from "../../../ui/button/button.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import { AnswerNotice } from "../../../ui/notice/answer-notice.tsx";
import { Notice } from "../../../ui/notice/notice.tsx";
import { RelativeTime } from "../../../ui/relative-time/relative-time.tsx";
import type { Route } from "./+types/channel";
import { kindText, stateText } from "./channel-text.ts";
import css from "./channels.module.css";
import { NoMail } from "./no-mail.tsx";
import { SecretOnce } from "./secret-once.tsx";
import { testChannel } from "./test-channel.ts";

const TEST = "test";
const RENEW = "renew";
const REVIVE = "revive";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  requirePermission({ context, url }, "settings:write");
  const { db, mailsGoOut } = context.get(appContext);
  const found = (await listChannels(db)).find(({ target_id }) => target_id === params.targetId);
  if (!found || found.kind === "discord") throw data(null, { status: 404 });
  const { failing_since, dead_at, last_sent_at, ...channel } = found;
  return {
    channel: {
      ...channel,
      service: serviceName(channel.kind),
      failing: failing_since !== null,
      dead: dead_at !== null,
      failing_since: failing_since?.toISOString() ?? null,
      last_sent_at: last_sent_at?.toISOString() ?? null,
    },
    mails_go_out: mailsGoOut,
  };
}

type Done = { test: ChannelTest } | { secret: string } | { revived: true };

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: permitted("settings:write"),
    read: () => ({}),
    async act({ intent, app, actor, locale }) {
      const { targetId } = asked.params;
      const channel = await findChannel(app.db, app.secret, targetId);
      if (!channel || channel.kind === "discord") return refuse(410, m.admin_notify_channel_gone());
      if (intent === RENEW) {
        requireFreshSession(asked);
        const secret = await renewWebhookSecret(app.db, app.secret, actor, targetId);
        return secret === null ? refuse(410, m.admin_notify_channel_gone()) : done<Done>({ secret });
      }
      if (intent === REVIVE) {
        const revived = await reviveChannel(app.db, actor, targetId);
        return revived ? done<Done>({ revived: true }) : refuse(410, m.admin_notify_channel_gone());
      }
      const siteName = asked.context.get(siteContext).read().settings.site_name;
      const test = await testChannel(app, actor, channel, { siteName, locale });
      return typeof test === "number"
        ? refuseForNow(test, m.admin_notify_test_wait({ seconds: formatNumber(test) }))
        : done<Done>({ test });
    },
    away: () => `${m.failed_notification()} ${m.admin_try_again()}`,
  });
}

export default function ChannelPage({ loaderData: { channel, mails_go_out }, ...props }: Route.ComponentProps) {
  const answer = useAnswer(props.actionData);
  const now = useNow();
  const made = answer?.done;
  const added = useSearchParams()[0].get("done") === "added";
  const { target_id, name, kind, service, last4, last_sent_at, failing_since, last_error } = channel;
  return (
    <>
      <AdminHeading
        title={name}
        up={{ to: "/admin/notifications/channels", label: m.admin_notify_channels() }}
        note={
          <>
            {kindText(kind, service)} · <bdi>{last4}</bdi>
          </>
        }
      >
        <ButtonLink to={`/admin/notifications/channels/${target_id}/remove`} variant="outlined" size="s">
          {m.admin_notify_channel_remove()}
        </ButtonLink>
      </AdminHeading>
      {kind === "mail" && !mails_go_out && <NoMail />}
      {added && !answer && (
        <Notice tone="good" of={added}>
          {m.admin_notify_channel_added()}
        </Notice>
      )}
      {answer?.problem && <AnswerNotice answer={answer} />}
      <FactList>
        <Fact label={m.admin_notify_channel_state()} bad={channel.dead || channel.failing}>
          {stateText(channel)}
        </Fact>
        <Fact label={m.admin_notify_last_sent()}>
          {last_sent_at === null ? "–" : <RelativeTime at={last_sent_at} now={now} />}
        </Fact>
        {failing_since !== null && (
          <Fact label={m.admin_notify_failing_since()} bad>
            <RelativeTime at={failing_since} now={now} />
          </Fact>
        )}
        {last_error !== null && (
          <Fact label={m.admin_notify_last_error()}>
            <bdi>{m.admin_notify_failure({ reason: last_error })}</bdi>
          </Fact>
        )}
      </FactList>
      <div className={css.acts}>
        {channel.dead && <Act intent={REVIVE} note={m.admin_notify_revive_note()} label={m.admin_notify_revive()} />}
        {made && "revived" in made && <AnswerNotice answer={answer} done={m.admin_notify_revived()} />}
        <Act intent={TEST} note={m.admin_notify_test_note()} label={m.admin_notify_test()}>
          {made && "test" in made && <Outcome test={made.test} />}
        </Act>
        {kind === "webhook" && (
          <Act
            intent={RENEW}
            note={m.admin_notify_renew_note()}
            label={m.admin_notify_renew_act()}
            title={m.admin_notify_renew()}
          >
            {made && "secret" in made && (
              <>
                <AnswerNotice answer={answer} done={m.admin_notify_webhook_once()} />
                <SecretOnce secret={made.secret} />
              </>
            )}
          </Act>
        )}
      </div>
    </>
  );
}

type ActProps = { intent: string; title?: string; note: string; label: string; children?: ReactNode };

function Act({ intent, title, note, label, children }: ActProps) {
  const { state, formData } = useNavigation();
  const busy = state === "submitting" && formData?.get("intent") === intent;
  return (
    <Form failed={m.failed_notification()} className={css.act}>
      <h2>{title ?? label}</h2>
      <p className={css.note}>{note}</p>
      {children}
      <input type="hidden" name="intent" value={intent} />
      <div>
        <Button type="submit" variant={intent === TEST ? "default" : "tonal"} loading={busy}>
          {label}
        </Button>
      </div>
    </Form>
  );
}

/** Shows the answer; text of the other side is unchanged. */
function Outcome({ test }: { test: ChannelTest }) {
  return (
    <>
      <Alert tone={test.sent ? "good" : "error"}>
        {test.sent
          ? m.admin_notify_test_sent()
          : `${m.admin_notify_test_failed()} ${m.admin_notify_failure({ reason: test.reason ?? "" })}`}
      </Alert>
      {test.answer === "" ? (
        <p className={css.note}>{m.admin_notify_test_no_answer()}</p>
      ) : (
        <div>
          <p className={css.note}>{m.admin_notify_test_answer()}</p>
          <p className={css.answer}>
            <bdi>{test.answer}</bdi>
          </p>
        </div>
      )}
    </>
  );
}
