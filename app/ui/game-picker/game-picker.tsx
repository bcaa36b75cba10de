// Picker for catalogue games to add: searches while typing, or by address without script. Ticked games stay ticked during a search.
import { useEffect, useId, useMemo, useRef, useState } from "react";
import { Form as RouterForm, useLocation } from "react-router";
import { createCatalogueSearch } from "#shared/catalogue-search.ts";
import { m } from "../../paraglide/messages.js";
import { Button } from "../button/button.tsx";
import { Form } from "../form/form.tsx";
import { Link } from "../link/link.tsx";
import { GameLine } from "./game-line.tsx";
import css from "./game-picker.module.css";
import type { PickerGame } from "./picker-game.ts";

/** Shown before a search: the eight, and what most communities run. */
const SHOWN_FIRST = 24;
const MOST_FOUND = 60;

type Props = {
  games: readonly PickerGame[];
  /** Games that the site already has, by value, with their addresses. */
  taken: Readonly<Record<string, string>>;
  /** The search in the address (`q`); `all`: lists the whole catalogue. */
  asked: { q: string; all: boolean };
  /** Other parameters, kept by a search without script. */
  keep?: Readonly<Record<string, string>>;
  /** Shown when no answer comes. */
  failed: string;
  /** Target: `catalogue_id` for each ticked game, `all_eight` for the eight. */
  action?: string;
  busy: boolean;
};

export function GamePicker({ games, taken, asked, keep = {}, failed, action, busy }: Props) {
  const searchId = useId();
  const statusId = useId();
  const list = useRef<HTMLUListElement>(null);
  const { pathname } = useLocation();
  const [query, setQuery] = useState(asked.q);
  const [all, setAll] = useState(asked.all);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const search = useMemo(() => createCatalogueSearch(games), [games]);
  const found = query.trim() === "" ? games.slice(0, all ? games.length : SHOWN_FIRST) : search(query, MOST_FOUND);
  const shown = new Set(found.map(({ value }) => value));
  // Hidden, but still sent.
  const hidden = games.filter(({ value }) => ticked.has(value) && !shown.has(value));
  const eight = games.filter((game) => game.first && taken[game.value] === undefined);

  // Ticks from before hydration.
  useEffect(() => {
    const early = list.current?.querySelectorAll<HTMLInputElement>("input:checked") ?? [];
    if (early.length > 0) setTicked(new Set([...early].map(({ value }) => value)));
  }, []);

  const tick = (value: string, on: boolean) =>
    setTicked((before) => new Set(on ? [...before, value] : [...before].filter((one) => one !== value)));

  return (
    <>
      <RouterForm id={searchId} action={pathname} onSubmit={(event) => event.preventDefault()}>
        {Object.entries(keep).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
      </RouterForm>
      <Form failed={failed} action={action} className={css.picker}>
        {/* Default button for Enter: adds the ticked games, not the eight. */}
        <button type="submit" className={css.enter} tabIndex={-1} aria-hidden="true" />
        <div className={css.head}>
          <label className={css.search}>
            <span className={css.label}>{m.admin_catalogue_search()}</span>
            <input
              type="search"
              name="q"
              form={searchId}
              value={query}
              maxLength={80}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              aria-describedby={statusId}
              placeholder={m.admin_catalogue_placeholder()}
              onChange={(event) => setQuery(event.currentTarget.value)}
            />
          </label>
          <span className={css.without}>
            <Button type="submit" form={searchId} variant="tonal">
              {m.admin_table_search()}
            </Button>
          </span>
          {eight.length > 0 && (
            <Button type="submit" name="all_eight" value="on" variant="outlined" loading={busy}>
              {m.admin_catalogue_take_first({ count: eight.length })}
            </Button>
          )}
        </div>
        <p id={statusId} className={css.status} role="status">
          {query.trim() === ""
            ? m.admin_catalogue_shown({ shown: found.length, total: games.length })
            : m.admin_catalogue_found({ count: found.length })}
        </p>
        <ul ref={list} className={css.games}>
          {found.map((game) => (
            <Choice key={game.value} game={game} at={taken[game.value]} ticked={ticked.has(game.value)} onTick={tick} />
          ))}
          {hidden.map((game) => (
            <li key={game.value} hidden>
              <input type="hidden" name="catalogue_id" value={game.value} />
            </li>
          ))}
        </ul>
        {query.trim() !== "" && found.length === 0 && (
          <div className={css.none}>
            <p>{m.admin_catalogue_none()}</p>
            <p>{m.admin_catalogue_unlisted()}</p>
          </div>
        )}
        {query.trim() === "" && !all && games.length > found.length && (
          <Link
            to={`?${new URLSearchParams({ ...keep, all: "1" })}`}
            className={css.more}
            onClick={(event) => {
              event.preventDefault();
              setAll(true);
            }}
          >
            {m.admin_catalogue_all({ total: games.length })}
          </Link>
        )}
        <div className={css.acts} data-any={ticked.size > 0 || undefined}>
          <Button type="submit" loading={busy}>
            {ticked.size === 0 ? m.admin_catalogue_take() : m.admin_catalogue_take_count({ count: ticked.size })}
          </Button>
        </div>
      </Form>
    </>
  );
}

type ChoiceProps = {
  game: PickerGame;
  /** Address of the game if the site already has it. */
  at: string | undefined;
  ticked: boolean;
  onTick: (value: string, on: boolean) => void;
};

function Choice({ game, at, ticked, onTick }: ChoiceProps) {
  if (at !== undefined) {
    return (
      <li className={css.game} data-taken>
        <GameLine
          game={game}
          note={
            <Link to={at} className={css.there}>
              {m.admin_catalogue_there()}
            </Link>
          }
        />
      </li>
    );
  }
  return (
    <li className={css.game}>
      <label className={css.choice}>
        <input
          type="checkbox"
          name="catalogue_id"
          value={game.value}
          defaultChecked={ticked}
          onChange={(event) => onTick(game.value, event.currentTarget.checked)}
        />
        <GameLine game={game} />
      </label>
    </li>
  );
}
