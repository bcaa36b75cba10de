// Asks once more before something is deleted for good: says what goes, and lets its name be typed. A page, not a dialog, so
// that it works without script.
import type { ReactNode } from "react";
import { m } from "../../paraglide/messages.js";
import { Button, ButtonLink } from "../button/button.tsx";
import { Form } from "../form/form.tsx";
import { TextField } from "../text-field/text-field.tsx";
import css from "./confirm-form.module.css";

type Props = {
  /** What has to be typed, as it stands. */
  name: string;
  /** What goes. */
  children: ReactNode;
  /** The label of the button. */
  act: string;
  /** Where "Cancel" leads. */
  back: string;
  error: string | undefined;
  typed: string | undefined;
  busy: boolean;
  /** What is said when no answer comes. */
  failed?: string | undefined;
};

/** Posts the field `confirm` to the page it stands on. */
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
