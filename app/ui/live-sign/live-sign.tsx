// Says whether the figures on the page follow the game servers right now.
import ClockAlert from "lucide-react/icons/clock-alert";
import LoaderCircle from "lucide-react/icons/loader-circle";
import Radio from "lucide-react/icons/radio";
import Unplug from "lucide-react/icons/unplug";
import { m } from "../../paraglide/messages.js";
import styles from "./live-sign.module.css";

type LiveSignProps = {
  /** How the live connection stands. */
  state: "joining" | "joined" | "errored" | "leaving" | "closed";
  /** The figures are held back because the fault is ours. */
  delayed: boolean;
};

const CONNECTION = {
  joining: { text: m.live_joining, Icon: LoaderCircle },
  joined: { text: m.live_joined, Icon: Radio },
  errored: { text: m.live_errored, Icon: Unplug },
  leaving: { text: m.live_leaving, Icon: LoaderCircle },
  closed: { text: m.live_closed, Icon: Unplug },
};

/** The connection in words, and "Data delayed" beside it while figures are held back. */
export function LiveSign({ state, delayed }: LiveSignProps) {
  const { text, Icon } = CONNECTION[state];
  return (
    <p className={styles.signs} role="status">
      <span className={styles.sign} data-state={state}>
        <Icon aria-hidden="true" size={16} />
        {text()}
      </span>
      {delayed && (
        <span className={styles.sign} data-state="delayed">
          <ClockAlert aria-hidden="true" size={16} />
          {m.data_delayed()}
        </span>
      )}
    </p>
  );
}
