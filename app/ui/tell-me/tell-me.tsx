// The "Notify me" button: follows a game server or a game without an account. Its panel is loaded on the press.
import { useEffect, useEffectEvent, useState } from "react";
import { useLocation } from "react-router";
import { m } from "../../paraglide/messages.js";
import { Button } from "../button/button.tsx";
import { useFetchedPart } from "../fetched-part.ts";
import css from "./tell-me.module.css";
import { type About, useTold } from "./told.ts";

const loadPanel = () => import("./tell-me-panel.tsx");

type Props = {
  about: About;
  /** Of the game server or the game. */
  name: string;
  /** The server is down: one press follows its return, and the button is highlighted. */
  down?: boolean;
  /** Number of slots; null: unknown, so a free slot can't be followed. */
  places?: number | null;
  /** Logged in, so mail is possible. */
  member: boolean;
};

/** Opens the browser's permission prompt, which must follow the press at once: browsers refuse it after loading a file. */
function askBrowser(): Promise<unknown> | null {
  if (!("Notification" in window && "PushManager" in window) || Notification.permission !== "default") return null;
  return Notification.requestPermission();
}

/** Hash of links that open the panel. */
const ANCHOR = "tell-me";

/** Hidden without script, which it needs. */
export function TellMe({ about, name, down = false, places = null, member }: Props) {
  const told = useTold(about, member);
  const [open, setOpen] = useState(false);
  /** Null: not opened yet. */
  const [press, setPress] = useState<{ atOnce: boolean; asked: Promise<unknown> | null } | null>(null);
  const { Part: Panel, lost, fetchPart } = useFetchedPart(loadPanel);
  const atOnce = down && !told;
  function show(pressed: NonNullable<typeof press>) {
    setPress(pressed);
    setOpen(true);
    fetchPart();
  }
  const { hash } = useLocation();
  // No press yet: no permission prompt.
  const showUnasked = useEffectEvent(() => show({ atOnce: false, asked: null }));
  useEffect(() => {
    if (hash === `#${ANCHOR}`) showUnasked();
  }, [hash]);
  const label = told ? m.server_tell_on() : atOnce ? m.server_tell_back() : m.server_tell();

  return (
    <span id={ANCHOR} className={css.frame} data-told={told || undefined}>
      <Button
        variant={atOnce ? "default" : "tonal"}
        aria-haspopup="dialog"
        aria-label={m.server_tell_label({ label, name })}
        onClick={() => show({ atOnce, asked: atOnce ? askBrowser() : null })}
      >
        <Bell />
        {label}
      </Button>
      {lost && (
        <span role="alert" className={css.lost}>
          {m.server_tell_lost()}
        </span>
      )}
      {press && Panel && (
        <Panel
          about={about}
          name={name}
          places={places}
          member={member}
          open={open}
          press={press}
          onClose={() => setOpen(false)}
        />
      )}
    </span>
  );
}

/** Lucide's icon, drawn here: pages without this button don't load it. */
function Bell() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className={css.bell}>
      <path d="M10.268 21a2 2 0 0 0 3.464 0" />
      <path d="M3.262 15.326A1 1 0 0 0 4 17h16a1 1 0 0 0 .74-1.673C19.41 13.956 18 12.499 18 8A6 6 0 0 0 6 8c0 4.499-1.411 5.956-2.738 7.326" />
    </svg>
  );
}
