// Filter row of the game server list: a plain form that filters at once if there is script.
import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { filterQuery, GONE, MOST_SEARCHED, readSearch, type ServerFilter, SORTS } from "#shared/server-filter.ts";
import { m } from "../../../paraglide/messages.js";
import { Button } from "../../../ui/button/button.tsx";
import { Icon } from "../../../ui/icon/icon.tsx";
import { Link } from "../../../ui/link/link.tsx";
import css from "./filter-row.module.css";
import type { ServerList } from "./server-list.ts";

type Option = { value: string; label: string };

/** With more, a select is quicker than scrolling a row. */
const MOST_IN_A_ROW = 24;

/** With more, searching by name is useful; fewer are read faster than typed. */
const MOST_AT_A_GLANCE = 10;

/** Pause in typing before a search. */
const PAUSE_MS = 250;

type Props = {
  /** English address of the list. */
  path: string;
  list: Pick<ServerList, "games" | "regions" | "total">;
  filter: ServerFilter;
  onChange: (change: Partial<ServerFilter>) => void;
};

export function FilterRow({ path, list: { games, regions, total }, filter, onChange }: Props) {
  const id = useId();
  const isLong = total > MOST_AT_A_GLANCE || filter.q !== "" || filter.sort !== "";
  // React resets the fields to the rendered values, so earlier input is read first.
  const [chosen] = useState(() => readChosen(id));
  const takeUp = useEffectEvent(() => {
    const changes = Object.entries(chosen ?? {}).filter(
      ([name, value]) => value !== filter[name as keyof ServerFilter],
    );
    if (changes.length > 0) onChange(Object.fromEntries(changes));
  });
  useEffect(() => takeUp(), []);
  return (
    <search aria-label={m.filter_title()} className={css.search}>
      {isLong && <SearchField form={id} q={filter.q} onSearch={(q) => onChange({ q })} />}
      {games.length > 1 && games.length <= MOST_IN_A_ROW && <GamesInARow path={path} games={games} filter={filter} />}
      <form
        method="get"
        className={css.row}
        id={id}
        onSubmit={(event) => {
          event.preventDefault();
          onChange({ q: readSearch(String(new FormData(event.currentTarget).get("q") ?? "")) });
        }}
      >
        {(games.length > 1 || filter.game) && (
          <Choice
            name="game"
            label={m.filter_game()}
            all={m.filter_game_all()}
            options={games}
            value={filter.game}
            onChange={(game) => onChange({ game })}
          />
        )}
        <Choice
          name="kind"
          label={m.filter_kind()}
          all={m.filter_kind_all()}
          options={[
            { value: "vanilla", label: m.filter_vanilla() },
            { value: "modded", label: m.filter_modded() },
          ]}
          value={filter.kind}
          onChange={(kind) => onChange({ kind })}
        />
        {(regions.length > 0 || filter.region) && (
          <Choice
            name="region"
            label={m.filter_region()}
            all={m.filter_region_all()}
            options={regions}
            value={filter.region}
            onChange={(region) => onChange({ region })}
          />
        )}
        <Toggle name="players" on={filter.players} onChange={(players) => onChange({ players })}>
          {m.filter_players()}
        </Toggle>
        <Toggle name="favourites" on={filter.favourites} onChange={(favourites) => onChange({ favourites })} scripted>
          <Icon shape="star" size={15} />
          {m.filter_favourites()}
        </Toggle>
        {isLong && (
          <Choice
            name="sort"
            label={m.filter_sort()}
            all={m.filter_sort_players()}
            options={SORTS.map((value) => ({
              value,
              label: value === "name" ? m.filter_sort_name() : m.filter_sort_peak(),
            }))}
            value={filter.sort}
            onChange={(sort) => onChange({ sort })}
          />
        )}
        <span className={css.send}>
          <Button type="submit" variant="secondary">
            {m.filter_submit()}
          </Button>
        </span>
      </form>
    </search>
  );
}

/** Search field. Never changes during typing; the list follows after a pause. */
function SearchField({ form, q, onSearch }: { form: string; q: string; onSearch: (q: string) => void }) {
  const field = useRef<HTMLInputElement>(null);
  const pause = useRef<number>(undefined);
  const search = useEffectEvent(() => {
    const typed = readSearch(field.current?.value ?? "");
    if (typed !== q) onSearch(typed);
  });
  // Going back in the history, or clearing, changes the text.
  useEffect(() => {
    const input = field.current;
    if (input && document.activeElement !== input) input.value = q;
  }, [q]);
  useEffect(() => () => clearTimeout(pause.current), []);
  return (
    <label className={css.field}>
      <span className="visually-hidden">{m.filter_search()}</span>
      <Icon shape="search" size={18} />
      <input
        ref={field}
        form={form}
        type="search"
        name="q"
        defaultValue={q}
        placeholder={m.filter_search()}
        maxLength={MOST_SEARCHED}
        dir="auto"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="search"
        onInput={() => {
          clearTimeout(pause.current);
          pause.current = window.setTimeout(() => search(), PAUSE_MS);
        }}
      />
    </label>
  );
}

/** On phones: one tap filters by game. */
function GamesInARow({ path, games, filter }: Pick<Props, "path" | "filter"> & { games: Option[] }) {
  const all = { value: "", label: m.filter_game_all() };
  const byName = games.toSorted((a, b) => a.label.localeCompare(b.label));
  return (
    <nav aria-label={m.filter_game()} className={css.games}>
      {[all, ...byName].map(({ value, label }) => (
        <Link
          key={value}
          to={path + filterQuery({ ...filter, game: value, page: 1 })}
          replace
          preventScrollReset
          className={css.game}
          aria-current={value === filter.game || undefined}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}

/** Reads the fields before hydration; null on the server, and before the fields exist. */
function readChosen(id: string): Partial<ServerFilter> | null {
  if (typeof document === "undefined") return null;
  const form = document.getElementById(id);
  if (!(form instanceof HTMLFormElement)) return null;
  const fields = new FormData(form);
  const choices = ["game", "kind", "region", "sort"]
    .filter((name) => fields.has(name))
    .map((name) => [name, fields.get(name)]);
  const search = fields.has("q") ? { q: readSearch(String(fields.get("q"))) } : {};
  return { ...Object.fromEntries(choices), ...search, players: fields.has("players") };
}

function Choice(props: {
  name: string;
  label: string;
  all: string;
  options: Option[];
  value: string;
  onChange: (value: string) => void;
}) {
  const { name, label, all, options, value, onChange } = props;
  return (
    <label className={css.choice} data-on={value !== "" || undefined}>
      <span className="visually-hidden">{label}</span>
      <select name={name} value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">{all}</option>
        {value === GONE && <option value={GONE}>{m.filter_gone()}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon shape="chevron-down" size={16} />
    </label>
  );
}

function Toggle(props: {
  name: string;
  on: boolean;
  onChange: (on: boolean) => void;
  /** Useless without script. */
  scripted?: boolean;
  children: ReactNode;
}) {
  const { name, on, onChange, scripted, children } = props;
  return (
    <label className={css.toggle} data-scripted={scripted}>
      <input
        type="checkbox"
        name={name}
        value="1"
        checked={on}
        onChange={({ target }) => onChange(target.checked)}
        className="visually-hidden"
      />
      {children}
    </label>
  );
}
