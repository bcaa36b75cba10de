// Says whether the figures on the page follow the game servers right now.
import { m } from "../../paraglide/messages.js";
import { PageIcon } from "../icon/more-icons.tsx";
import styles from "./live-sign.module.css";

type LiveSignProps = {
  /** How the live connection stands. */
  state: "joining" | "joined" | "errored" | "leaving" | "closed";
  /** The figures are held back because the fault is ours. */
  delayed: boolean;
};

const CONNECTION = {
  joining: { text: m.live_joining, icon: "loader-circle" },
  joined: { text: m.live_joined, icon: "radio" },
  errored: { text: m.live_errored, icon: "unplug" },
  leaving: { text: m.live_leaving, icon: "loader-circle" },
  closed: { text: m.live_closed, icon: "unplug" },
} as const;

/** The connection in words, and "Data delayed" beside it while figures are held back. */
export function LiveSign({ state, delayed }: LiveSignProps) {
  const { text, icon } = CONNECTION[state];
  return (
    <p className={styles.signs} role="status">
      <span className={styles.sign} data-state={state}>
        <PageIcon shape={icon} size={16} />
        {text()}
      </span>
      {delayed && (
        <span className={styles.sign} data-state="delayed">
          <PageIcon shape="clock-alert" size={16} />
          {m.data_delayed()}
        </span>
      )}
    </p>
  );
}
