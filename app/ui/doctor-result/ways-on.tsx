// How to go on where nothing told what it is: ask again as a game, watch the port alone, or let the machine report itself.
import type { ReactNode } from "react";
import type { Diagnosis } from "#shared/diagnosis.ts";
import { m } from "../../paraglide/messages.js";
import { Button } from "../button/button.tsx";
import css from "./doctor-result.module.css";

export type AskAgain = {
  /** The id of the form that asked: it is sent once more, with the game as `as`. */
  form: string;
  /** Hears that it is asked: the buttons go away with the answer that they stand in. */
  onAsk: () => void;
};

type Props = {
  ways: Diagnosis["ways"];
  /** A port that accepts was found, and can be taken over. */
  watchesPort: boolean;
  again: AskAgain;
  /** What leads to the heartbeat. */
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
