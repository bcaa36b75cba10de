// The one row by which a list of game servers is filtered: a form that any browser can send, and that filters at once where
// there is script.
import { type ReactNode, useEffect, useEffectEvent, useId, useState } from "react";
import { filterQuery, GONE, type ServerFilter } from "#shared/server-filter.ts";
import { m } from "../../../paraglide/messages.js";
import { Button } from "../../../ui/button/button.tsx";
import { Icon } from "../../../ui/icon/icon.tsx";
import { Link } from "../../../ui/link/link.tsx";
import css from "./filter-row.module.css";

type Option = { value: string; label: string };

/** More are quicker found by the letters of a list than by pushing a row of words. */
const MOST_IN_A_ROW = 24;

type Props = {
  /** Where the list is, in English. */
  path: string;
  games: Option[];
  regions: { value: string; label: string }[];
  filter: ServerFilter;
  onChange: (change: Partial<ServerFilter>) => void;
};

export function FilterRow({ path, games, regions, filter, onChange }: Props) {
  const id = useId();
  // React sets the fields to what the page was rendered with, so what was chosen before is read before.
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
      {games.length > 1 && games.length <= MOST_IN_A_ROW && <GamesInARow path={path} games={games} filter={filter} />}
      <form method="get" className={css.row} id={id}>
        <Choice
          name="game"
          label={m.filter_game()}
          all={m.filter_game_all()}
          options={games}
          value={filter.game}
          onChange={(game) => onChange({ game })}
        />
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
        <span className={css.send}>
          <Button type="submit" variant="secondary">
            {m.filter_submit()}
          </Button>
        </span>
      </form>
    </search>
  );
}

/** On phones: one touch on a game leaves its game servers, with the way in on each. */
function GamesInARow({ path, games, filter }: Pick<Props, "path" | "games" | "filter">) {
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
          defaultShouldRevalidate={false}
          className={css.game}
          aria-current={value === filter.game || undefined}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}

/** What the fields of the page say while it has no script yet; null on the server, and where they are not there yet. */
function readChosen(id: string): Partial<ServerFilter> | null {
  if (typeof document === "undefined") return null;
  const form = document.getElementById(id);
  if (!(form instanceof HTMLFormElement)) return null;
  const fields = new FormData(form);
  const choices = ["game", "kind", "region"].filter((name) => fields.has(name)).map((name) => [name, fields.get(name)]);
  return { ...Object.fromEntries(choices), players: fields.has("players") };
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
  /** It would do nothing without script. */
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
