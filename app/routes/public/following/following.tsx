// Lists and ends follows: this browser's without an account, and a member's by mail and on all devices.
import { useMemo, useState } from "react";
import { useLocation } from "react-router";
import { z } from "zod";
import { endFollows } from "#domain/notifications/follow-by-mail.ts";
import { listFollows } from "#domain/notifications/follows.ts";
import { beginMailsAgain, openEnded, sealEnd } from "#domain/notifications/mail-ends.ts";
import { listTargets } from "#domain/notifications/targets.ts";
import { appContext, memberContext, siteContext } from "#web/context.ts";
import { done, handleForm, refuse, signedIn, textsOf } from "#web/forms/handle-form.ts";
import type { RouteFacts } from "#web/pages/route-facts.ts";
import { useNow } from "../../../live/use-live.ts";
import { m } from "../../../paraglide/messages.js";
import { Alert } from "../../../ui/alert/alert.tsx";
import { Button, ButtonLink } from "../../../ui/button/button.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import { Link } from "../../../ui/link/link.tsx";
import { PageTitle } from "../../../ui/page-title/page-title.tsx";
import { RelativeTime } from "../../../ui/relative-time/relative-time.tsx";
import { SettingsSection } from "../../../ui/settings-section/settings-section.tsx";
import type { Route } from "./+types/following";
import { DeviceFollows } from "./device-follows.tsx";
import css from "./following.module.css";
import { MemberFollows } from "./member-follows.tsx";

/** Visitors get the same page: the browser loads its own follows. */
export const handle: RouteFacts = { sitemap: false };

export async function loader({ context }: Route.LoaderArgs) {
  const site = context.get(siteContext).read();
  const member = context.get(memberContext);
  return {
    games: site.games.map(({ game_id, game_slug }) => ({ game_id, slug: game_slug })),
    member: member && { email: member.email, targets: await readTargets(context.get(appContext).db, member.user_id) },
  };
}

async function readTargets(db: Parameters<typeof listFollows>[0], userId: string) {
  const [targets, follows] = await Promise.all([listTargets(db, userId), listFollows(db, { user_id: userId })]);
  return targets
    .map(({ target_id, kind, created_at }) => ({
      target_id,
      channel: kind,
      created_at: created_at.toISOString(),
      follows: follows
        .filter((follow) => follow.target_id === target_id)
        .map(({ follow_id, kind, threshold, server_id, game_id, server_name, game_name, game_slug }) => ({
          follow_id,
          kind,
          threshold,
          server_id,
          game_id,
          name: server_name ?? game_name,
          slug: game_slug,
        })),
    }))
    .filter(({ follows }) => follows.length > 0);
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: signedIn,
    read: (form) => textsOf(form, ["follow_id", "target_id", "ended"]),
    async act({ given, intent, app, member }) {
      if (intent === "again") {
        const ended = openEnded(app.secret, given.ended);
        if (!ended) return refuse(422, m.following_too_late());
        await beginMailsAgain(app.db, ended);
        return done({ ended: null, again: true });
      }
      const which = intent === "end-all" ? { target_id: given.target_id } : { follow_id: given.follow_id };
      if (!z.uuid().safeParse(Object.values(which)[0]).success) return refuse(422, m.following_gone());
      const ended = await endFollows(app.db, member.user_id, which);
      // An already ended follow counts as success.
      return done({ ended: ended && sealEnd(app.secret, ended), again: false });
    },
  });
}

export default function FollowingPage({ loaderData, ...props }: Route.ComponentProps) {
  const answer = useAnswer(props.actionData);
  const { pathname } = useLocation();
  const now = useNow();
  const { games, member } = loaderData;
  const [here, setHere] = useState<string[]>([]);
  const slugs = useMemo(() => new Map(games.map(({ game_id, slug }) => [game_id, slug])), [games]);
  const mailbox = member?.targets.find(({ channel }) => channel === "mail");
  // This device has its own list above.
  const devices = member?.targets.filter(
    ({ channel, follows }) => channel === "push" && !follows.some(({ follow_id }) => here.includes(follow_id)),
  );
  return (
    <div className={`page ${css.page}`}>
      <PageTitle>{m.following_title()}</PageTitle>
      <meta name="description" content={m.following_description()} />
      <header className={css.head}>
        <h1>{m.following_title()}</h1>
        <p className={css.lead}>{m.following_lead()}</p>
      </header>
      {answer?.problem && <Alert tone="error">{answer.problem}</Alert>}
      {answer?.done && (
        <Alert tone="good">
          <span className={css.told}>
            {answer.done.again ? m.following_said_again() : m.following_said_ended()}
            {answer.done.ended && (
              <Form failed={m.failed_following()} action={pathname} preventScrollReset>
                <input type="hidden" name="ended" value={answer.done.ended} />
                <Button type="submit" name="intent" value="again" variant="outlined" size="s">
                  {m.tell_undo()}
                </Button>
              </Form>
            )}
          </span>
        </Alert>
      )}
      <DeviceFollows
        member={member !== null}
        slugOf={(gameId) => (gameId === null ? null : (slugs.get(gameId) ?? null))}
        onKnown={setHere}
      />
      {member ? (
        <SettingsSection
          title={m.following_mail()}
          about={
            <>
              <p>{m.following_mail_about({ email: member.email })}</p>
              <p>
                <Link to="/user/settings/notifications">{m.following_settings()}</Link>
              </p>
            </>
          }
        >
          {mailbox ? (
            <MemberFollows {...mailbox} label={m.following_mail()} />
          ) : (
            <p className={css.quiet}>{m.following_mail_none()}</p>
          )}
        </SettingsSection>
      ) : (
        <SettingsSection title={m.following_mail()} about={m.following_mail_visitor()}>
          <p>
            <ButtonLink to="/login/" variant="outlined">
              {m.following_login()}
            </ButtonLink>
          </p>
        </SettingsSection>
      )}
      {devices?.map((device) => (
        <SettingsSection
          key={device.target_id}
          title={m.following_other_device()}
          about={
            <>
              {m.following_since()} <RelativeTime at={device.created_at} now={now} />
            </>
          }
        >
          <MemberFollows {...device} label={m.following_other_device()} />
        </SettingsSection>
      ))}
    </div>
  );
}
