// Shows whether the page's figures are live now.

import { m } from "../../paraglide/messages.js";
import { PageIcon } from "../icon/more-icons.tsx";
import { useRecentText } from "../recent-text.ts";
import styles from "./live-sign.module.css";

type LiveSignProps = {
  /** State of the live connection. */
  state: "joining" | "joined" | "errored" | "leaving" | "closed";
  /** ISO time since which the figures are delayed by our fault; null: they are current. */
  delayedSince: string | null;
};

const CONNECTION = {
  joining: { text: m.live_joining, icon: "loader-circle" },
  joined: { text: m.live_joined, icon: "radio" },
  errored: { text: m.live_errored, icon: "unplug" },
  leaving: { text: m.live_leaving, icon: "loader-circle" },
  closed: { text: m.live_closed, icon: "unplug" },
} as const;

/** Connection state, and "Data delayed since 22:30" if the figures are delayed. */
export function LiveSign({ state, delayedSince }: LiveSignProps) {
  const { text, icon } = CONNECTION[state];
  return (
    <p className={styles.signs} role="status">
      <span className={styles.sign} data-state={state}>
        <PageIcon shape={icon} size={16} />
        {text()}
      </span>
      {delayedSince !== null && (
        <span className={styles.sign} data-state="delayed">
          <PageIcon shape="clock-alert" size={16} />
          <DelayedSince at={delayedSince} />
        </span>
      )}
    </p>
  );
}

function DelayedSince({ at }: { at: string }) {
  return m.data_delayed({ time: useRecentText(at) });
}
