// One pasted line: what was typed, its state, and its fields.
import { memo } from "react";
import type { BatchLine, BatchView } from "#domain/game-servers/batch-view.ts";
import { askedPort, isAsked } from "#shared/adapters.ts";
import { formatNumber } from "../../../../language.ts";
import { m } from "../../../../paraglide/messages.js";
import { adapterName } from "../../../../ui/adapter-text/adapter-text.ts";
import { Button } from "../../../../ui/button/button.tsx";
import { Link } from "../../../../ui/link/link.tsx";
import { Skeleton } from "../../../../ui/skeleton/skeleton.tsx";
import css from "./batch-row.module.css";
import { LineSign, lineText } from "./line-sign.tsx";
import { UNANSWERED } from "./unanswered.ts";

type Props = { line: BatchLine; number: number; games: BatchView["games"] };

/** Has a fixed height whatever its answer, so that rows don't move while others arrive. */
export const BatchRow = memo(
  function BatchRow({ line, number, games }: Props) {
    const { line_id, typed, state } = line;
    const open = state.is === "answers" || state.is === "accepts" || state.is === "silent";
    return (
      <li className={css.row} data-line={line_id} data-state={state.is} id={`line-${line_id}`}>
        <div className={css.tick}>
          {open && (
            <input
              type="checkbox"
              name="tick"
              value={line_id}
              defaultChecked={line.ticked}
              aria-label={m.admin_paste_tick({ line: String(number) })}
            />
          )}
          <span aria-hidden="true">{formatNumber(number)}</span>
        </div>
        <div className={css.what}>
          <p className={css.head}>
            <LineSign state={state} />
            <code className={css.typed}>{typed}</code>
          </p>
          <Details line={line} />
        </div>
        <div className={css.fields}>
          {open && <Fields line={line} number={number} games={games} key={state.is} />}
          {state.is === "waiting" && (
            <>
              <Skeleton shape="field" />
              <Skeleton shape="field" />
            </>
          )}
        </div>
        <div className={css.acts}>
          {UNANSWERED.has(state.is) && (
            <button
              type="submit"
              name="intent"
              value={`again:${line_id}`}
              formNoValidate
              className={css.act}
              aria-label={m.admin_paste_again_of({ line: String(number) })}
              title={m.admin_paste_again()}
            >
              <svg viewBox="0 0 20 20" aria-hidden="true">
                <path d="M15.5 10a5.5 5.5 0 1 1-1.6-3.9M15.5 3v3.4h-3.4" />
              </svg>
            </button>
          )}
          {state.is !== "added" && (
            <button
              type="submit"
              name="intent"
              value={`remove:${line_id}`}
              formNoValidate
              className={css.act}
              aria-label={m.admin_paste_remove_of({ line: String(number) })}
              title={m.admin_paste_remove()}
            >
              <svg viewBox="0 0 20 20" aria-hidden="true">
                <path d="m5.5 5.5 9 9M14.5 5.5l-9 9" />
              </svg>
            </button>
          )}
        </div>
      </li>
    );
  },
  // Each reload brings new objects with the same content.
  (one, other) => JSON.stringify(one) === JSON.stringify(other),
);

function Fields({ line, number, games }: Props) {
  const { line_id, name, game, state } = line;
  const known = games.some(({ value }) => value === game);
  return (
    <>
      <label className={css.field}>
        <span>{m.admin_server_name()}</span>
        <input
          name={`name.${line_id}`}
          defaultValue={name}
          maxLength={80}
          autoComplete="off"
          aria-label={m.admin_paste_name_of({ line: String(number) })}
        />
      </label>
      <label className={css.field}>
        <span>{m.admin_server_game()}</span>
        <select
          name={`game.${line_id}`}
          defaultValue={known ? game : ""}
          aria-label={m.admin_paste_game_of({ line: String(number) })}
          // The game was the last thing missing for a server that answers.
          onChange={(event) => state.is === "answers" && tickRow(event.currentTarget)}
        >
          <option value="">{m.admin_paste_no_game()}</option>
          {games.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
    </>
  );
}

function tickRow(select: HTMLSelectElement) {
  const tick = select.closest("[data-line]")?.querySelector<HTMLInputElement>("input[name=tick]");
  if (tick && select.value !== "") tick.checked = true;
}

/** Shows findings or errors: on one line, in full when opened. */
function Details({ line }: { line: BatchLine }) {
  const { state, refused, has_password } = line;
  if (state.is === "added" && state.server_id !== null)
    return (
      <p className={css.details}>
        <Link to={`/admin/gameservers/${state.server_id}/edit`}>{line.name}</Link>
      </p>
    );
  if (state.is === "on_site")
    return (
      <p className={css.details}>
        <Link to={`/admin/gameservers/${state.server_id}/edit`}>{state.server_name}</Link>
      </p>
    );
  const facts = [...factsOf(line), ...(has_password ? [m.admin_paste_password()] : []), ...howOf(line)];
  const [first = "", ...rest] = [...(refused ? [refused] : []), ...lineText(state)];
  if (first === "") return <p className={css.details}>{facts.join(" · ")}</p>;
  return (
    <details className={css.details} data-refused={refused ? "" : undefined}>
      <summary>{first}</summary>
      {rest.map((text) => (
        <p key={text}>{text}</p>
      ))}
      <AskAs line={line} />
      {facts.length > 0 && <p>{facts.join(" · ")}</p>}
    </details>
  );
}

/** Offers other games to poll the address as. */
function AskAs({ line: { line_id, state } }: { line: BatchLine }) {
  if ((state.is !== "silent" && state.is !== "accepts") || state.games.length === 0) return null;
  return (
    <>
      <p>{m.doctor_ways_games()}</p>
      <p className={css.ways}>
        {state.games.map(({ type, name }) => (
          <Button
            key={type}
            type="submit"
            name="intent"
            value={`again:${line_id}:${type}`}
            formNoValidate
            variant="outlined"
            size="s"
          >
            {m.doctor_ways_as({ game: name })}
          </Button>
        ))}
      </p>
    </>
  );
}

/** The server's name for its game; players. */
function factsOf({ state }: BatchLine): string[] {
  if (state.is !== "answers") return [];
  const { game, players, max_players: max } = state;
  const told = game === null ? [] : [game];
  if (players === null) return told;
  if (max === null) return [...told, m.admin_paste_players({ count: players })];
  return [...told, m.admin_paste_players_of({ count: players, max: formatNumber(max) })];
}

/** Describes how it is polled, or would be. */
function howOf({ state, asked }: BatchLine): string[] {
  if (!["answers", "accepts", "silent"].includes(state.is) || !asked || !isAsked(asked.adapter)) return [];
  const adapter = adapterName(asked.adapter);
  const port = askedPort(asked.adapter, { gamePort: asked.game_port, queryPort: asked.query_port });
  return [port === null ? adapter : m.doctor_adapter_at({ adapter, port: String(port) })];
}
