// A notification as a switch; and one for player numbers, with a number field.
import { useEffect, useId, useState } from "react";
import { formatNumber } from "../../language.ts";
import { m } from "../../paraglide/messages.js";
import css from "./tell-me-panel.module.css";

type ChoiceProps = { label: string; hint?: string; on: boolean; busy: boolean; onToggle: () => void };

/** Switch that acts at once; while busy it shows the requested state. */
export function Choice({ label, hint, on, busy, onToggle }: ChoiceProps) {
  const id = useId();
  return (
    <li>
      <label htmlFor={`${id}-switch`} className={css.choice}>
        <span className={css.words}>
          <span>{label}</span>
          {hint && (
            <span id={id} className={css.hint}>
              {hint}
            </span>
          )}
        </span>
        <Switch id={`${id}-switch`} on={on} busy={busy} onToggle={onToggle} describedBy={hint && id} />
      </label>
    </li>
  );
}

type SwitchProps = {
  id?: string;
  on: boolean;
  busy: boolean;
  onToggle: () => void;
  label?: string | undefined;
  describedBy?: string | undefined;
};

function Switch({ id, on, busy, onToggle, label, describedBy }: SwitchProps) {
  const shown = busy ? !on : on;
  return (
    <input
      id={id}
      type="checkbox"
      role="switch"
      className={css.switch}
      checked={shown}
      aria-checked={shown}
      aria-busy={busy || undefined}
      aria-label={label}
      aria-describedby={describedBy}
      onChange={() => {
        if (!busy) onToggle();
      }}
    />
  );
}

/** Pause after the last change of the number before it is saved. */
const SETTLED_MS = 800;
const USUAL = 5;
const MOST_PLAYERS = 100_000;

type PlayersProps = {
  /** The saved value; null: not followed. */
  threshold: number | null;
  /** Number of slots; null: unknown. */
  most: number | null;
  busy: boolean;
  /** For a game's servers. */
  ofGame: boolean;
  onSet: (threshold: number) => void;
  onEnd: () => void;
};

export function PlayersChoice({ threshold, most, busy, ofGame, onSet, onEnd }: PlayersProps) {
  const id = useId();
  const highest = most || MOST_PLAYERS;
  const inRange = (count: number) => Math.min(highest, Math.max(1, Math.round(count) || 1));
  const [text, setText] = useState(() => String(threshold ?? inRange(USUAL)));
  /** More than the slots was typed: shown until the number changes. */
  const [isCut, setCut] = useState(false);
  const count = inRange(Number(text));
  const on = threshold !== null;

  // The site's value wins, once known.
  useEffect(() => {
    if (threshold !== null) setText(String(threshold));
  }, [threshold]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: what it calls is made anew at each rendering
  useEffect(() => {
    if (threshold === null || threshold === count || busy || text === "") return;
    const timer = setTimeout(() => onSet(count), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [count, threshold, busy, text]);

  const step = (by: number, sign: string, label: string) => (
    <button
      type="button"
      className={css.step}
      aria-label={label}
      aria-controls={id}
      // Not disabled, which would lose the focus at the end of the range.
      aria-disabled={inRange(count + by) === count || undefined}
      onClick={() => {
        setText(String(inRange(count + by)));
        setCut(false);
      }}
    >
      <span aria-hidden="true">{sign}</span>
    </button>
  );
  return (
    <li className={css.choice}>
      <span className={css.people}>
        <span>{m.tell_players_before()}</span>
        <span className={css.stepper}>
          {step(-1, "−", m.tell_players_fewer())}
          <input
            id={id}
            className={css.count}
            inputMode="numeric"
            autoComplete="off"
            maxLength={6}
            aria-label={m.tell_players_count()}
            value={text}
            aria-describedby={isCut ? `${id}-most` : undefined}
            onChange={(event) => {
              const typed = event.target.value.replace(/\D/g, "");
              setText(typed);
              setCut(Number(typed) > highest);
            }}
            onBlur={() => setText(String(count))}
          />
          {step(1, "+", m.tell_players_more())}
        </span>
        <span>{ofGame ? m.tell_players_after_of_game() : m.tell_players_after()}</span>
        <span id={`${id}-most`} className={`${css.hint} ${css.most}`} aria-live="polite">
          {isCut && m.tell_players_most({ most: formatNumber(highest) })}
        </span>
      </span>
      <Switch
        on={on}
        busy={busy}
        label={m.tell_players({ count: formatNumber(count) })}
        onToggle={() => (on ? onEnd() : onSet(count))}
      />
    </li>
  );
}
