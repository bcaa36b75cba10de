// The number that everybody came for: players now, of how many. It rolls once and glows when it changes.
import { useState } from "react";
import css from "./player-count.module.css";

const LOCALE = "en";
const number = new Intl.NumberFormat(LOCALE);

type Props = {
  /** Players now; null: nobody reports it, which is never drawn as 0. */
  online: number | null;
  /** Seats; null: not known, and then it is left out. */
  max: number | null;
  /** s in tables, m in cards, l as the figure of a page. */
  size?: "s" | "m" | "l";
};

export function PlayerCount({ online, max, size = "m" }: Props) {
  // What was shown before this value: null until the first change, so that a page does not roll on arrival.
  const [shown, setShown] = useState(online);
  const [turn, setTurn] = useState<"up" | "down" | null>(null);
  if (shown !== online) {
    setShown(online);
    setTurn(shown === null || online === null ? null : online > shown ? "up" : "down");
  }

  if (online === null) {
    return (
      <span className={css.count} data-size={size} data-known="no">
        not reported
      </span>
    );
  }
  const spoken =
    max === null ? `${number.format(online)} players` : `${number.format(online)} of ${number.format(max)} players`;
  return (
    <span className={css.count} data-size={size} data-players={online === 0 ? "none" : "some"}>
      <span aria-hidden="true" className={css.figures}>
        <span className={css.window}>
          <span key={online} className={css.online} data-turn={turn ?? undefined}>
            {number.format(online)}
          </span>
        </span>
        {max !== null && <span className={css.max}>/ {number.format(max)}</span>}
      </span>
      <span className="visually-hidden">{spoken}</span>
    </span>
  );
}
