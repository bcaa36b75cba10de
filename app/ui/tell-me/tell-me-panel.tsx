// Panel of the "Notify me" button: what to follow on this game server or game, and by which channel. Loaded on demand.
import { useEffect, useRef, useState } from "react";
import type { FollowKind } from "#shared/push.ts";
import { m } from "../../paraglide/messages.js";
import { Button } from "../button/button.tsx";
import { Dialog } from "../dialog/dialog.tsx";
import { Link } from "../link/link.tsx";
import { Choice, PlayersChoice } from "./choice.tsx";
import { byMail, byPush, deviceProblem, isBlocking } from "./follow-source.ts";
import { ProblemHelp } from "./problem-help.tsx";
import css from "./tell-me-panel.module.css";
import type { About, Place } from "./told.ts";
import { type Follows, useFollows } from "./use-follows.ts";

type Props = {
  about: About;
  name: string;
  /** Number of slots; null: unknown. */
  places: number | null;
  member: boolean;
  open: boolean;
  /** `atOnce`: the press follows the server's return. `asked`: settles after the browser's prompt. */
  press: { atOnce: boolean; asked: Promise<unknown> | null };
  onClose: () => void;
};

export default function TellMePanel({ about, name, places, member, open, press, onClose }: Props) {
  const [place, setPlace] = useState<Place>(() => (member && deviceProblem() ? "mail" : "device"));
  const follows = useFollows(place === "mail" ? byMail : byPush, about);
  const browserAsks = useOnePress(press, follows) || (place === "device" && follows.asking !== null && isUndecided());
  const problem = place === "device" ? (deviceProblem() ?? follows.problem) : follows.problem;
  const blocked = isBlocking(problem);
  const ofGame = about.game_id !== undefined;
  const on = (kind: FollowKind) => follows.here?.find((follow) => follow.kind === kind) ?? null;
  const choice = (kind: FollowKind) => ({
    on: on(kind) !== null,
    busy: follows.asking === kind,
    onToggle: () => void (on(kind) ? follows.end(kind) : follows.add(kind)),
  });

  return (
    <Dialog title={m.tell_title()} open={open} onClose={onClose} close={m.tell_close()}>
      <p className={css.name}>{name}</p>
      {member && <Places place={place} onChoose={setPlace} />}
      {problem && !follows.asking && (
        <ProblemHelp
          problem={problem}
          place={place}
          member={member}
          onAgain={() => void follows.again()}
          onMail={() => setPlace("mail")}
        />
      )}
      {!blocked && (
        <ul className={css.choices}>
          <Choice {...choice("server_up")} label={ofGame ? m.tell_up_of_game() : m.tell_up()} />
          {!ofGame && places !== null && <Choice {...choice("seat_free")} label={m.tell_seat()} />}
          <PlayersChoice
            threshold={on("players_reached")?.threshold ?? null}
            most={places}
            busy={follows.asking === "players_reached"}
            ofGame={ofGame}
            onSet={(count) => void follows.add("players_reached", count)}
            onEnd={() => void follows.end("players_reached")}
          />
          <Choice {...choice("plan_soon")} label={m.tell_plan()} hint={m.tell_plan_hint()} />
          <Choice {...choice("news")} label={m.tell_news()} />
        </ul>
      )}
      <div className={css.foot}>
        <div className={css.said}>
          <p role="status">
            {browserAsks ? (
              m.tell_asking()
            ) : follows.last ? (
              <span className={css.done} data-on={follows.last.on || undefined}>
                {follows.last.on ? m.tell_done() : m.tell_ended()}
              </span>
            ) : blocked ? null : place === "mail" ? (
              m.tell_about_mail()
            ) : (
              m.tell_about_device()
            )}
          </p>
          {follows.last && <Undo follows={follows} />}
        </div>
        <Link to="/following" replace>
          {m.tell_all()}
        </Link>
      </div>
    </Dialog>
  );
}

const isUndecided = () => "Notification" in window && Notification.permission === "default";

/** Runs the action of the press, once the follows are known. Returns whether the browser's prompt is open. */
function useOnePress(press: Props["press"], follows: Follows): boolean {
  const [answered, setAnswered] = useState<Props["press"] | null>(null);
  const done = useRef<Props["press"] | null>(null);
  const waits = press.atOnce && press.asked !== null && answered !== press;
  useEffect(() => {
    void press.asked?.finally(() => setAnswered(press));
  }, [press]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once a press, when the list is there and the browser has asked
  useEffect(() => {
    if (!press.atOnce || waits || done.current === press || follows.here === null) return;
    done.current = press;
    if (!follows.here.some(({ kind }) => kind === "server_up")) void follows.add("server_up");
  }, [press, waits, follows.here]);
  return waits;
}

function Places({ place, onChoose }: { place: Place; onChoose: (place: Place) => void }) {
  const option = (value: Place, label: string) => (
    <label className={css.place}>
      <input
        type="radio"
        name="place"
        className="visually-hidden"
        checked={place === value}
        onChange={() => onChoose(value)}
      />
      <span>{label}</span>
    </label>
  );
  return (
    <fieldset className={css.places}>
      <legend className="visually-hidden">{m.tell_where()}</legend>
      {option("device", m.tell_where_device())}
      {option("mail", m.tell_where_mail())}
    </fieldset>
  );
}

function Undo({ follows }: { follows: Follows }) {
  const { last } = follows;
  if (!last) return null;
  return (
    <Button
      variant="outlined"
      onClick={() => void (last.on ? follows.end(last.kind) : follows.add(last.kind, last.threshold))}
    >
      {m.tell_undo()}
    </Button>
  );
}
