// Confirms a permanent deletion: says what is deleted, and asks for its name. A page, not a dialog, so that it works without
// script.
import type { ReactNode } from "react";
import { m } from "../../paraglide/messages.js";
import { Button, ButtonLink } from "../button/button.tsx";
import { Form } from "../form/form.tsx";
import { TextField } from "../text-field/text-field.tsx";
import css from "./confirm-form.module.css";

type Props = {
  /** The exact text to type. */
  name: string;
  /** Says what is deleted. */
  children: ReactNode;
  /** Label of the button. */
  act: string;
  /** Target of "Cancel". */
  back: string;
  error: string | undefined;
  typed: string | undefined;
  busy: boolean;
  /** Shown when no answer comes. */
  failed?: string | undefined;
};

/** Posts the field `confirm` to its own page. */
export function ConfirmForm({ name, children, act, back, error, typed, busy, failed }: Props) {
  return (
    <Form failed={failed ?? m.failed_delete()} className={css.confirm} autoComplete="off">
      <div className={css.what}>{children}</div>
      <TextField
        label={m.admin_confirm_label({ name })}
        name="confirm"
        required
        missing={m.admin_confirm_wrong()}
        defaultValue={typed}
        error={error}
        spellCheck={false}
      />
      <div className={css.acts}>
        <span className={css.danger}>
          <Button type="submit" variant="outlined" loading={busy}>
            {act}
          </Button>
        </span>
        <ButtonLink to={back} variant="tonal">
          {m.admin_cancel()}
        </ButtonLink>
      </div>
    </Form>
  );
}
