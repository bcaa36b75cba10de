// The doctor's panel: an admin pastes an address and sees what answers. Beside a form (never inside one: it is a form itself), or
// alone on its page, where it also works without script.
import { useId, useRef } from "react";
import { useFetcher } from "react-router";
import type { Diagnosis } from "#shared/diagnosis.ts";
import type { FormAnswer } from "#shared/form-answer.ts";
import { here } from "../../language.ts";
import { m } from "../../paraglide/messages.js";
import { Alert } from "../alert/alert.tsx";
import { Button } from "../button/button.tsx";
import { Form } from "../form/form.tsx";
import { GameCombobox } from "../game-picker/game-combobox.tsx";
import type { PickerGame } from "../game-picker/picker-game.ts";
import { TextField } from "../text-field/text-field.tsx";
import css from "./doctor-panel.module.css";
import { DoctorResult, type TakenValues } from "./doctor-result.tsx";

/** Answer of the doctor's action. */
type DoctorAnswer = FormAnswer<{ address: string; type: string }, Diagnosis>;

type Props = {
  /** Receives the findings on a press. Without it a link leads to the form for a new game server. */
  onTake?: (values: TakenValues) => void;
  /** Initial address. */
  address?: string;
  /** Games to pick from; without them the doctor only guesses. */
  games?: readonly PickerGame[];
  /** Address of the heartbeat page of a saved game server. */
  heartbeatAt?: string;
  /** Answer to a post without script. */
  answer?: DoctorAnswer | undefined;
};

/** Posts to /admin/gameservers/doctor. */
export function DoctorPanel({ onTake, address = "", games, heartbeatAt, answer }: Props) {
  const fetcher = useFetcher<DoctorAnswer>();
  const busy = fetcher.state !== "idle";
  const shown = fetcher.data ?? answer;
  const result = useRef<HTMLDivElement>(null);
  const form = useId();
  return (
    <section className={css.panel} aria-label={m.doctor_title()}>
      <Form
        failed={m.failed_examine()}
        fetcher={fetcher}
        action={here("/admin/gameservers/doctor")}
        id={form}
        className={css.form}
      >
        <TextField
          label={m.doctor_address()}
          name="address"
          hint={m.doctor_address_hint()}
          defaultValue={shown?.given.address ?? address}
          required
          maxLength={300}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        {games && (
          <GameCombobox
            label={m.doctor_game()}
            name="type"
            games={games}
            // The game of the last request, also by a button of the answer.
            key={shown?.given.type}
            defaultValue={shown?.given.type ?? ""}
            none={m.doctor_game_any()}
            hint={m.doctor_game_hint()}
          />
        )}
        <Button type="submit" variant={onTake ? "tonal" : "default"} loading={busy}>
          {m.doctor_examine()}
        </Button>
      </Form>
      <div role="status" className={css.answer} ref={result} tabIndex={-1}>
        {busy ? (
          <p className={css.asking}>{m.doctor_asking()}</p>
        ) : shown?.done ? (
          <DoctorResult
            diagnosis={shown.done}
            onTake={onTake}
            takeTo="/admin/gameservers/create"
            heartbeatAt={heartbeatAt}
            again={{ form, onAsk: () => result.current?.focus() }}
          />
        ) : (
          shown && <Alert tone="error">{shown.problem}</Alert>
        )}
      </div>
    </section>
  );
}
