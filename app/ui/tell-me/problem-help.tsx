// Explains why notifications aren't possible now, with help for the reader's browser.
import type { ReactNode } from "react";
import { here } from "../../language.ts";
import { m } from "../../paraglide/messages.js";
import { Button } from "../button/button.tsx";
import { Link } from "../link/link.tsx";
import type { FollowProblem } from "./follow-source.ts";
import css from "./tell-me-panel.module.css";
import type { Place } from "./told.ts";

type Props = {
  problem: FollowProblem;
  place: Place;
  member: boolean;
  onAgain: () => void;
  /** Switches to mail; absent if not possible. */
  onMail?: () => void;
};

export function ProblemHelp({ problem, place, member, onAgain, onMail }: Props) {
  const again = (label = m.tell_again()) => (
    <p className={css.acts}>
      <Button variant="outlined" onClick={onAgain}>
        {label}
      </Button>
    </p>
  );
  const instead = place === "device" && (onMail || !member) && <Instead onMail={member ? onMail : undefined} />;
  switch (problem) {
    case "refused":
      return (
        <Help title={m.tell_refused_title()}>
          <p>{HOW_TO_ALLOW[browserFamily()]()}</p>
          {again(m.tell_refused_again())}
          {instead}
        </Help>
      );
    case "dismissed":
      return <Help title={m.tell_dismissed_title()}>{m.tell_dismissed_text()}</Help>;
    case "home_screen":
      return (
        <Help title={m.tell_home_title()}>
          <ol className={css.steps}>
            <li className={css.stepToTake}>
              {m.tell_home_share()} <ShareSign />
            </li>
            <li className={css.stepToTake}>{m.tell_home_add()}</li>
            <li className={css.stepToTake}>{m.tell_home_open()}</li>
          </ol>
          {instead}
        </Help>
      );
    case "unable":
      return (
        <Help title={m.tell_unable_title()}>
          <p>{m.tell_unable_text()}</p>
          {instead}
          <p className={css.instead}>
            <a href={feedHere()}>{m.tell_instead_feed()}</a>
          </p>
        </Help>
      );
    case "not_allowed":
    case "no_service":
      if (place === "mail") return <Help title={m.tell_unconfirmed()} />;
      return (
        <Help title={m.tell_service_title()}>
          <p>{m.tell_service_text()}</p>
          {again()}
          {instead}
        </Help>
      );
    case "off":
      return <Help title={m.tell_off()}>{instead}</Help>;
    case "too_many":
      return (
        <Help title={place === "mail" ? m.tell_many_mail() : m.tell_many_device()}>
          <p>{m.tell_many_text()}</p>
        </Help>
      );
    case "often":
      return <Help title={m.tell_often()}>{again()}</Help>;
    case "gone":
    case "not_found":
      return <Help title={m.tell_gone()}>{again()}</Help>;
    case "logged_out":
      return (
        <Help title={m.tell_signed_out()}>
          <Instead />
        </Help>
      );
    case "away":
      return (
        <Help title={m.tell_away_title()}>
          <p>{m.tell_away_text()}</p>
          {again()}
        </Help>
      );
  }
}

/** Feed of the current game server or game, or of the site. */
function feedHere(): string {
  const [shown] = /^(?:\/de)?\/(?:games|servers)\/[^/]+/.exec(location.pathname) ?? [];
  return `${shown ?? here("")}/feed.atom`;
}

/** Read out when it appears. */
function Help({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={css.help} role="alert">
      <p className={css.helpTitle}>{title}</p>
      {children}
    </div>
  );
}

/** Mail for members; for others, the benefit of an account. */
function Instead({ onMail }: { onMail?: (() => void) | undefined }) {
  if (onMail)
    return (
      <p className={css.acts}>
        <Button onClick={onMail}>{m.tell_instead_mail()}</Button>
      </p>
    );
  return (
    <p className={css.instead}>
      <Link to={`/login/?next=${encodeURIComponent(location.pathname)}`} replace>
        {m.tell_instead_login()}
      </Link>
    </p>
  );
}

/** The "Share" icon of an iPhone, to look for. */
function ShareSign() {
  return (
    <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" className={css.shareSign}>
      <path d="M12 3v12M8 7l4-4 4 4M7 11H5v10h14V11h-2" />
    </svg>
  );
}

type Family = "ios" | "android" | "firefox" | "safari" | "other";

const HOW_TO_ALLOW: Record<Family, () => string> = {
  ios: m.tell_allow_ios,
  android: m.tell_allow_android,
  firefox: m.tell_allow_firefox,
  safari: m.tell_allow_safari,
  other: m.tell_allow_other,
};

/** An iPad poses as a Mac, but no Mac has a touch screen. */
function browserFamily(): Family {
  const { userAgent: agent, maxTouchPoints } = navigator;
  if (/iPhone|iPad/.test(agent) || (/Macintosh/.test(agent) && maxTouchPoints > 1)) return "ios";
  if (/Android/.test(agent)) return "android";
  if (/Firefox/.test(agent)) return "firefox";
  return /Safari/.test(agent) && !/Chrom|Edg|OPR/.test(agent) ? "safari" : "other";
}
