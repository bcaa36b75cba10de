// Picks one of many games by typing part of its name (a combobox with a list, by WAI-ARIA). Without script it is a select.
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { createCatalogueSearch } from "#shared/catalogue-search.ts";
import { m } from "../../paraglide/messages.js";
import { useErrorFocus } from "../text-field/error-focus.ts";
import { describedBy, FieldNotes } from "../text-field/field-notes.tsx";
import field from "../text-field/text-field.module.css";
import css from "./game-combobox.module.css";
import { GameLine } from "./game-line.tsx";
import type { PickerGame } from "./picker-game.ts";

const MOST_SHOWN = 40;
const never = () => () => {};

type Props = {
  label: string;
  name: string;
  games: readonly PickerGame[];
  /** Initial value; empty: none. */
  defaultValue: string;
  /** Text for no choice. */
  none: string;
  hint?: ReactNode;
  /** Error text; marks the field. */
  error?: string | null | undefined;
};

export function GameCombobox({ label, name, games, defaultValue, none, hint, error }: Props) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const isAlive = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  const search = useMemo(() => createCatalogueSearch(games), [games]);
  const nameOf = (value: string) => games.find((game) => game.value === value)?.name ?? "";
  const [chosen, setChosen] = useState(defaultValue);
  const [text, setText] = useState(() => nameOf(defaultValue));
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  useErrorFocus(input, error);
  const isSearched = text.trim() !== "" && text !== nameOf(chosen);
  const found = open ? search(isSearched ? text : "", MOST_SHOWN) : [];
  const optionId = (place: number) => `${id}-${place}`;

  useEffect(() => {
    if (open && active >= 0) document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: "nearest" });
  }, [open, active, id]);

  function choose(value: string) {
    setChosen(value);
    setText(nameOf(value));
    setOpen(false);
    setActive(-1);
  }

  /** Accepts the name of a game; an empty field is no choice; anything else is reverted. */
  function leave() {
    const typed = text.trim().toLowerCase();
    const named = games.find((game) => game.name.toLowerCase() === typed || game.acronym.toLowerCase() === typed);
    choose(typed === "" ? "" : (named?.value ?? chosen));
  }

  function press(event: KeyboardEvent<HTMLInputElement>) {
    const game = found[active];
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (!open) setOpen(true);
      else if (found.length > 0)
        setActive(event.key === "ArrowDown" ? (active + 1) % found.length : (Math.max(active, 0) || found.length) - 1);
    } else if (event.key === "Enter" && open) {
      // Chooses; only the next Enter sends the form.
      event.preventDefault();
      const only = isSearched ? found[0] : undefined;
      if (game ?? only) choose((game ?? only)?.value ?? "");
      else leave();
    } else if (event.key === "Escape" && open) {
      event.preventDefault();
      setOpen(false);
      setActive(-1);
      setText(nameOf(chosen));
    }
  }

  return (
    <div className={`${field.field} ${css.field}`} data-invalid={error ? "" : undefined}>
      <label htmlFor={id} className={field.label}>
        {label}
      </label>
      {isAlive ? (
        <input type="hidden" name={name} value={chosen} data-choice="" />
      ) : (
        <select name={name} defaultValue={defaultValue} aria-label={label} className={`${field.input} ${css.plain}`}>
          <option value="">{none}</option>
          {games.map((game) => (
            <option key={game.value} value={game.value}>
              {game.name}
            </option>
          ))}
        </select>
      )}
      <span className={css.box}>
        <input
          ref={input}
          id={id}
          type="text"
          role="combobox"
          className={field.input}
          value={text}
          placeholder={none}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={80}
          aria-autocomplete="list"
          aria-expanded={open}
          aria-controls={`${id}-list`}
          aria-activedescendant={open && active >= 0 ? optionId(active) : undefined}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy(id, { hint, error })}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setOpen(true);
            setActive(-1);
          }}
          onClick={() => setOpen(true)}
          onKeyDown={press}
          onBlur={leave}
        />
        {chosen !== "" && (
          <button
            type="button"
            className={css.clear}
            aria-label={m.admin_catalogue_clear({ label })}
            onClick={() => {
              choose("");
              input.current?.focus();
            }}
          >
            <svg viewBox="0 0 20 20" aria-hidden="true">
              <path d="m5 5 10 10M15 5 5 15" />
            </svg>
          </button>
        )}
        {/* A press keeps the focus in the text field. */}
        <div
          id={`${id}-list`}
          role="listbox"
          aria-label={label}
          className={css.list}
          hidden={!open || found.length === 0}
        >
          {found.map((game, place) => (
            <div
              key={game.value}
              id={optionId(place)}
              role="option"
              tabIndex={-1}
              aria-selected={game.value === chosen}
              data-active={place === active || undefined}
              className={css.option}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(game.value)}
              onKeyDown={(event) => event.key === "Enter" && choose(game.value)}
            >
              <GameLine game={game} />
            </div>
          ))}
        </div>
        <span role="status" className={open && isSearched && found.length === 0 ? css.none : "visually-hidden"}>
          {open && isSearched && m.admin_catalogue_found({ count: found.length })}
          {open && isSearched && found.length === 0 && ` ${m.admin_catalogue_unlisted()}`}
        </span>
      </span>
      <FieldNotes of={id} hint={hint} error={error} />
    </div>
  );
}
