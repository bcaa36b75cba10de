// Current players, with a dash if unknown: never a 0 that wasn't counted.
import type { ShownStatus } from "#shared/statuses.ts";
import { m } from "../../paraglide/messages.js";
import { PlayerCount } from "../player-count/player-count.tsx";
import styles from "./players-now.module.css";

type PlayersNowProps = { status: ShownStatus; online: number | null; max: number | null; size?: "s" | "m" | "l" };

/** The figure while the game server is online; a dash, with a text for screen readers, while unknown. */
export function PlayersNow({ status, online, max, size = "m" }: PlayersNowProps) {
  if (online === null && (status === "offline" || status === "inactive" || status === "maintenance")) {
    return (
      <span className={styles.nobody} data-size={size}>
        <span aria-hidden="true">–</span>
        <span className="visually-hidden">{m.not_reported_spoken()}</span>
      </span>
    );
  }
  return <PlayerCount online={online} max={max} size={size} />;
}
