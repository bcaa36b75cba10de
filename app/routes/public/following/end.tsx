// Unsubscribes from mails by the link in a mail: one press, no login. Mail programs can post it (RFC 8058). Opening it changes
// nothing, because link scanners open every link of a mail.
import { useLocation } from "react-router";
import {
  beginMailsAgain,
  endMails,
  type MailEnd,
  openEnd,
  openEnded,
  sealEnd,
} from "#domain/notifications/mail-ends.ts";
import { appContext, siteContext } from "#web/context.ts";
import { done, handleForm, refuse, textOf } from "#web/forms/handle-form.ts";
import type { RouteFacts } from "#web/pages/route-facts.ts";
import type { SiteSnapshot } from "#web/pages/site-snapshot.ts";
import { m } from "../../../paraglide/messages.js";
import { Alert } from "../../../ui/alert/alert.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import { Link } from "../../../ui/link/link.tsx";
import { PageTitle } from "../../../ui/page-title/page-title.tsx";
import type { Route } from "./+types/end";
import { aboutText, whenText } from "./follow-text.ts";
import css from "./following.module.css";

export const handle: RouteFacts = { kept: false, robots: false, sitemap: false };

/** The address, which ends mails, and the page must not appear in logs or caches. */
export const headers = () => ({ "Referrer-Policy": "no-referrer", "Cache-Control": "no-store" });

const tokenOf = (url: URL) => url.searchParams.get("mail") ?? "";

export function loader({ context, url }: Route.LoaderArgs) {
  const end = openEnd(context.get(appContext).secret, tokenOf(url));
  return { end: end && shownEnd(end, context.get(siteContext).read()) };
}

/** Returns what the holder of the link may see: public names. */
function shownEnd(end: MailEnd, site: Pick<SiteSnapshot, "games" | "gameServers">) {
  if ("digest" in end) return "digest" as const;
  const { kind, server_id, game_id } = end;
  const server = site.gameServers.find((one) => one.server_id === server_id);
  const game = site.games.find((one) => one.game_id === game_id);
  return { kind, server_id, game_id, threshold: null, name: server?.server_name ?? game?.game_name ?? null };
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    read: (form) => ({ ended: textOf(form, "ended") }),
    async act({ given, intent, app, url }) {
      if (intent === "again") {
        const ended = openEnded(app.secret, given.ended);
        if (!ended) return refuse(422, m.following_too_late());
        await beginMailsAgain(app.db, ended);
        return done({ ended: null });
      }
      const end = openEnd(app.secret, tokenOf(url));
      if (!end) return refuse(422, m.following_end_unknown());
      return done({ ended: sealEnd(app.secret, await endMails(app.db, end)) });
    },
  });
}

export default function EndPage({ loaderData: { end }, ...props }: Route.ComponentProps) {
  const answer = useAnswer(props.actionData);
  const { pathname, search } = useLocation();
  const ended = answer?.done?.ended;
  return (
    <div className={`page ${css.end}`}>
      <PageTitle>{m.following_end_title()}</PageTitle>
      <h1>{m.following_end_title()}</h1>
      {answer?.problem && <Alert tone="error">{answer.problem}</Alert>}
      {ended ? (
        <>
          <p className={css.lead} role="status">
            {m.following_end_done()}
          </p>
          <Form failed={m.failed_following()} action={pathname + search}>
            <input type="hidden" name="ended" value={ended} />
            <Button type="submit" name="intent" value="again" variant="outlined">
              {m.tell_undo()}
            </Button>
          </Form>
        </>
      ) : end === null ? (
        <p className={css.lead}>{m.following_end_unknown()}</p>
      ) : (
        <>
          {answer?.done && <Alert tone="good">{m.following_said_again()}</Alert>}
          <p className={css.lead}>
            {end === "digest"
              ? m.following_end_digest()
              : m.following_end_about({ name: aboutText(end), when: endWhenText(end) })}
          </p>
          <Form failed={m.failed_following()} action={pathname + search}>
            <Button type="submit" name="intent" value="end" size="l">
              {m.following_end_press()}
            </Button>
          </Form>
        </>
      )}
      <Link to="/following">{m.tell_all()}</Link>
    </div>
  );
}

/** The link applies to any number of players, so it contains none. */
const endWhenText = (end: Parameters<typeof whenText>[0]) =>
  end.kind === "players_reached" ? m.following_players_any() : whenText(end);
