// Links of a game server's guide: add, remove and sort rows. Without script there is an empty row to fill, and emptying a row
// removes it.
import { useEffect, useId, useRef, useState } from "react";
import type { FieldErrors } from "#shared/form-answer.ts";
import { m } from "../../../paraglide/messages.js";
import { Button } from "../../../ui/button/button.tsx";
import { FormRow } from "../../../ui/form-sheet/form-sheet.tsx";
import { TextField } from "../../../ui/text-field/text-field.tsx";
import { EXAMPLES } from "../games/examples.ts";
import type { LinkTexts } from "./fields.ts";
import css from "./links.module.css";

type Row = { key: number; parts: LinkTexts };
const EMPTY: LinkTexts = { name: "", label_en: "", label_de: "", url: "" };

type Props = { value: LinkTexts[]; fieldErrors: FieldErrors; most: number };

export function GameServerLinks({ value, fieldErrors, most }: Props) {
  const id = useId();
  const [rows, setRows] = useState<Row[]>(() =>
    [...value, EMPTY].map((parts, key) => ({ key, parts })).slice(0, Math.max(most, value.length)),
  );
  const list = useRef<HTMLOListElement>(null);
  const [focus, setFocus] = useState<{ key: number; on: "input" | "up" | "down" } | null>(null);
  // Focuses the row that was just added or moved.
  useEffect(() => {
    const row = focus && list.current?.querySelector(`[data-row="${focus.key}"]`);
    if (!row) return;
    const wanted =
      focus.on === "input" ? null : row.querySelector<HTMLElement>(`[data-act="${focus.on}"]:not(:disabled)`);
    (wanted ?? row.querySelector<HTMLElement>("input"))?.focus();
  }, [focus]);

  const add = () => {
    const key = Math.max(-1, ...rows.map((row) => row.key)) + 1;
    setRows([...rows, { key, parts: EMPTY }]);
    setFocus({ key, on: "input" });
  };
  const remove = (at: number) => {
    const rest = rows.filter((_, place) => place !== at);
    setRows(rest);
    const next = rest[Math.min(at, rest.length - 1)];
    setFocus(next ? { key: next.key, on: "input" } : null);
  };
  const move = (at: number, by: -1 | 1) => {
    const moved = [...rows];
    const [row] = moved.splice(at, 1);
    if (!row) return;
    moved.splice(at + by, 0, row);
    setRows(moved);
    setFocus({ key: row.key, on: by < 0 ? "up" : "down" });
  };

  return (
    <fieldset className={css.links} aria-describedby={id}>
      <legend className={css.legend}>{m.admin_server_links()}</legend>
      <p id={id} className={css.note}>
        {m.admin_server_links_note({ placeholder: EXAMPLES.link_placeholder })}
      </p>
      {fieldErrors.links && <p className={css.fault}>{fieldErrors.links}</p>}
      <ol className={css.rows} ref={list}>
        {rows.map((row, place) => (
          <LinkRow
            key={row.key}
            row={row}
            place={place}
            isLast={place === rows.length - 1}
            fieldErrors={fieldErrors}
            onMove={(by) => move(place, by)}
            onRemove={() => remove(place)}
          />
        ))}
      </ol>
      {rows.length < most && (
        <p data-script="needed" className={css.add}>
          <Button variant="outlined" size="s" onClick={add}>
            {m.admin_server_link_add()}
          </Button>
        </p>
      )}
    </fieldset>
  );
}

type RowProps = {
  row: Row;
  /** In the list, from 0. */
  place: number;
  isLast: boolean;
  fieldErrors: FieldErrors;
  onMove(by: -1 | 1): void;
  onRemove(): void;
};

function LinkRow({ row: { key, parts }, place, isLast, fieldErrors, onMove, onRemove }: RowProps) {
  const field = (part: keyof LinkTexts) => ({
    name: `links.${place}.${part}`,
    defaultValue: parts[part],
    error: fieldErrors[`links.${place}.${part}`],
    autoComplete: "off",
  });
  const number = place + 1;
  return (
    <li data-row={key} className={css.row}>
      <FormRow>
        <TextField
          {...field("name")}
          label={m.admin_server_link_name({ number })}
          maxLength={30}
          autoCapitalize="none"
          spellCheck={false}
          placeholder={EXAMPLES.link_name}
        />
        <TextField
          {...field("url")}
          label={m.admin_server_link_url({ number })}
          maxLength={300}
          inputMode="url"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="https://"
        />
      </FormRow>
      <FormRow>
        <TextField {...field("label_en")} label={m.admin_server_link_en({ number })} maxLength={60} lang="en" />
        <TextField {...field("label_de")} label={m.admin_server_link_de({ number })} maxLength={60} lang="de" />
      </FormRow>
      <div className={css.acts} data-script="needed">
        <Button
          variant="tonal"
          size="s"
          data-act="up"
          disabled={place === 0}
          onClick={() => onMove(-1)}
          aria-label={m.admin_server_link_up({ number })}
        >
          ↑
        </Button>
        <Button
          variant="tonal"
          size="s"
          data-act="down"
          disabled={isLast}
          onClick={() => onMove(1)}
          aria-label={m.admin_server_link_down({ number })}
        >
          ↓
        </Button>
        <Button variant="tonal" size="s" onClick={onRemove} aria-label={m.admin_server_link_remove({ number })}>
          {m.admin_remove()}
        </Button>
      </div>
    </li>
  );
}
