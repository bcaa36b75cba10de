// Status of a game server: always a shape and a word, never only a colour.
import type { ReactNode } from "react";
import type { ShownStatus } from "#shared/statuses.ts";
import { m } from "../../paraglide/messages.js";
import css from "./status-sign.module.css";

const TEXTS: Record<ShownStatus, () => string> = {
  online: m.status_online,
  degraded: m.status_degraded,
  offline: m.status_offline,
  unknown: m.status_unknown,
  maintenance: m.status_maintenance,
  inactive: m.status_inactive,
};

/** Returns the text of a status. */
export const statusText = (status: ShownStatus): string => TEXTS[status]();

const SHAPES: Record<ShownStatus, ReactNode> = {
  online: (
    <>
      <circle cx="8" cy="8" r="7" fill="currentColor" opacity=".22" stroke="none" />
      <circle cx="8" cy="8" r="3.6" fill="currentColor" stroke="none" />
    </>
  ),
  degraded: <path d="M8 2.4 14.4 13.4H1.6zM8 6.6v3M8 11.5v.01" />,
  offline: <path d="M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8zM5.9 5.9l4.2 4.2M10.1 5.9l-4.2 4.2" />,
  unknown: (
    <>
      <circle cx="8" cy="8" r="6.2" strokeDasharray="2.6 2.27" />
      <path d="M6.4 6.6a1.7 1.7 0 1 1 2.5 1.5c-.6.3-.9.6-.9 1.2M8 11.3v.01" />
    </>
  ),
  maintenance: (
    <path d="M9.6 5.2a.7.7 0 0 0 0 .9l.4.4a.7.7 0 0 0 .9 0l2.6-2.6a4 4 0 0 1-5.2 5.2l-4.5 4.5a1.4 1.4 0 0 1-2-2l4.5-4.5a4 4 0 0 1 5.2-5.2z" />
  ),
  inactive: <path d="M13.9 8.6A6 6 0 1 1 7.4 2.1a4.7 4.7 0 0 0 6.5 6.5z" />,
};

/** `size` m (default) beside text, s in tables and cards. */
export function StatusSign({ status, size = "m" }: { status: ShownStatus; size?: "s" | "m" }) {
  return (
    <span className={css.sign} data-status={status} data-size={size}>
      <svg viewBox="0 0 16 16" aria-hidden="true" className={css.shape}>
        {SHAPES[status]}
      </svg>
      <span>{statusText(status)}</span>
    </span>
  );
}
