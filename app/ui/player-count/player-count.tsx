// Current players and maximum. Rolls once and glows on changes.
import { useState } from "react";
import { formatNumber } from "../../language.ts";
import { m } from "../../paraglide/messages.js";
import css from "./player-count.module.css";

type Props = {
  /** Current players; null: not reported, which is never drawn as 0. */
  online: number | null;
  /** Slots; null: unknown, and left out. */
  max: number | null;
  /** s in tables, m in cards, l as the figure of a page. */
  size?: "s" | "m" | "l";
};

export function PlayerCount({ online, max, size = "m" }: Props) {
  // Former value: null until the first change, so that a page doesn't roll on arrival.
  const [shown, setShown] = useState(online);
  const [turn, setTurn] = useState<"up" | "down" | null>(null);
  if (shown !== online) {
    setShown(online);
    setTurn(shown === null || online === null ? null : online > shown ? "up" : "down");
  }

  if (online === null) {
    return (
      <span className={css.count} data-size={size} data-known="no">
        {m.not_reported_spoken()}
      </span>
    );
  }
  const locale =
    max === null
      ? m.players_spoken({ count: online })
      : m.players_of_spoken({ online: formatNumber(online), max: formatNumber(max) });
  return (
    <span className={css.count} data-size={size} data-players={online === 0 ? "none" : "some"}>
      <span aria-hidden="true" className={css.figures}>
        <span className={css.window}>
          <span key={online} className={css.online} data-turn={turn ?? undefined}>
            {formatNumber(online)}
          </span>
        </span>
        {max !== null && <span className={css.max}>/ {formatNumber(max)}</span>}
      </span>
      <span className="visually-hidden">{locale}</span>
    </span>
  );
}
