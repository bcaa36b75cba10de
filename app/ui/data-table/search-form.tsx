// Search above a list: a form that changes the address, sent while typing if there is script.
import { type ReactNode, useEffect, useEffectEvent, useRef } from "react";
import { Form, useLocation, useSubmit } from "react-router";
import { m } from "../../paraglide/messages.js";
import { Button } from "../button/button.tsx";
import { Link } from "../link/link.tsx";
import { TextField } from "../text-field/text-field.tsx";
import css from "./data-table.module.css";
import { addressWith } from "./list-address.ts";

const PAUSE_MS = 250;

type Props = {
  label: string | undefined;
  q: string;
  /** Kept, because a search doesn't change the order. */
  sort: string | null;
  /** Filters are active and can be cleared. */
  narrowed: boolean;
  filters: ReactNode;
  filterNames: string[];
};

export function SearchForm({ label, q, sort, narrowed, filters, filterNames }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const pause = useRef<number>(undefined);
  const submit = useSubmit();
  const { search, pathname } = useLocation();
  // Going back in the history, or clearing, changes the text; what is being typed stays.
  useEffect(() => {
    const input = field.current;
    if (input && document.activeElement !== input) input.value = q;
  }, [q]);
  useEffect(() => () => clearTimeout(pause.current), []);
  const soon = (form: HTMLFormElement | null) => {
    clearTimeout(pause.current);
    pause.current = window.setTimeout(
      () => form && submit(form, { replace: true, preventScrollReset: true }),
      PAUSE_MS,
    );
  };
  // Sends what was typed before hydration.
  const early = useEffectEvent(() => {
    const input = field.current;
    if (input && input.value !== q && document.activeElement === input) soon(input.form);
  });
  useEffect(() => early(), []);
  return (
    <search className={css.search}>
      <Form
        action={pathname}
        className={css.form}
        onChange={(event) => soon(event.currentTarget)}
        onSubmit={() => clearTimeout(pause.current)}
      >
        {sort && <input type="hidden" name="sort" value={sort} />}
        {label && (
          <div className={css.field}>
            <svg viewBox="0 0 20 20" aria-hidden="true">
              <path d="M9 15a6 6 0 1 0 0-12 6 6 0 0 0 0 12ZM13.5 13.5 17 17" />
            </svg>
            <TextField
              ref={field}
              variant="transparent"
              label={label}
              labelHidden
              type="search"
              name="q"
              defaultValue={q}
              placeholder={label}
              maxLength={100}
            />
          </div>
        )}
        {filters}
        <span className={css.go}>
          <Button type="submit" variant="tonal" size="s">
            {m.admin_table_search()}
          </Button>
        </span>
        {narrowed && (
          <Link
            to={addressWith(search, {
              q: null,
              page: null,
              ...Object.fromEntries(filterNames.map((name) => [name, null])),
            })}
            className={css.clear}
          >
            {m.admin_table_clear()}
          </Link>
        )}
      </Form>
    </search>
  );
}

/** Filter of the list; `name` is its name in the address, the empty value shows everything. */
export function FilterSelect(props: {
  name: string;
  label: string;
  value: string;
  /** Label of no filter. */
  all: string;
  options: { value: string; label: string }[];
}) {
  return (
    <label className={css.filter}>
      <span className="visually-hidden">{props.label}</span>
      <select name={props.name} defaultValue={props.value} key={props.value}>
        <option value="">{props.all}</option>
        {props.options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
