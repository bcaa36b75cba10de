// Next steps for an unidentified server: retry as a game, watch only the port, or use a heartbeat.
import type { ReactNode } from "react";
import type { Diagnosis } from "#shared/diagnosis.ts";
import { m } from "../../paraglide/messages.js";
import { Button } from "../button/button.tsx";
import css from "./doctor-result.module.css";

export type AskAgain = {
  /** Id of the form to send again, with the game as `as`. */
  form: string;
  /** Called before sending: the buttons disappear with their answer. */
  onAsk: () => void;
};

type Props = {
  ways: Diagnosis["ways"];
  /** An open port was found, and can be used. */
  watchesPort: boolean;
  again: AskAgain;
  /** Link to the heartbeat. */
  children: ReactNode;
};

export function WaysOn({ ways: { games, heartbeat }, watchesPort, again, children }: Props) {
  if (games.length === 0 && heartbeat === null) return null;
  return (
    <section className={css.ways}>
      <h3>{m.doctor_ways()}</h3>
      {games.length > 0 && (
        <div className={css.way}>
          <p>{m.doctor_ways_games()}</p>
          <div className={css.games}>
            {games.map(({ type, name }) => (
              <Button
                key={type}
                type="submit"
                form={again.form}
                name="as"
                value={type}
                variant="outlined"
                size="s"
                onClick={again.onAsk}
              >
                {m.doctor_ways_as({ game: name })}
              </Button>
            ))}
          </div>
        </div>
      )}
      {watchesPort && <p>{m.doctor_ways_tcp()}</p>}
      {heartbeat !== null && (
        <div className={css.way}>
          <p>{m.doctor_ways_heartbeat()}</p>
          {children}
        </div>
      )}
    </section>
  );
}
