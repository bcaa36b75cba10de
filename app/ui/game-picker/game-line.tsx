// A catalogue game in a list of choices: picture, names, ports, and how it is polled.
import type { ReactNode } from "react";
import css from "./game-line.module.css";
import { askedText, type PickerGame, portsText } from "./picker-game.ts";

/** Made of spans, for use in labels and options. `note`: a line below its facts. */
export function GameLine({ game, note }: { game: PickerGame; note?: ReactNode }) {
  return (
    <span className={css.line}>
      <span className={css.thumb}>
        <img src={game.thumb} alt="" width="64" height="40" loading="lazy" decoding="async" />
      </span>
      <span className={css.words}>
        <span className={css.names}>
          <span className={css.name}>{game.name}</span> <span className={css.acronym}>{game.acronym}</span>
        </span>
        <span className={css.facts}>{[portsText(game), askedText(game)].filter(Boolean).join(" · ")}</span>
        {note}
      </span>
    </span>
  );
}
