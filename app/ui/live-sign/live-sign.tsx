// Says whether the figures on the page follow the game servers right now.
import ClockAlert from "lucide-react/icons/clock-alert";
import LoaderCircle from "lucide-react/icons/loader-circle";
import Radio from "lucide-react/icons/radio";
import Unplug from "lucide-react/icons/unplug";
import styles from "./live-sign.module.css";

type LiveSignProps = {
  /** How the live connection stands. */
  state: "joining" | "joined" | "errored" | "leaving" | "closed";
  /** The figures are held back because the fault is ours. */
  delayed: boolean;
};

const CONNECTION = {
  joining: { words: "Joining…", Icon: LoaderCircle },
  joined: { words: "Live", Icon: Radio },
  errored: { words: "Connection lost – trying again", Icon: Unplug },
  leaving: { words: "Leaving…", Icon: LoaderCircle },
  closed: { words: "Closed", Icon: Unplug },
};

/** The connection in words, and "Data delayed" beside it while figures are held back. */
export function LiveSign({ state, delayed }: LiveSignProps) {
  const { words, Icon } = CONNECTION[state];
  return (
    <p className={styles.signs} role="status">
      <span className={styles.sign} data-state={state}>
        <Icon aria-hidden="true" size={16} />
        {words}
      </span>
      {delayed && (
        <span className={styles.sign} data-state="delayed">
          <ClockAlert aria-hidden="true" size={16} />
          Data delayed
        </span>
      )}
    </p>
  );
}
