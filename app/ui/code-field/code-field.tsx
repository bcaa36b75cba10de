// Field for a code of digits, from a mail or an authenticator app.
import { m } from "../../paraglide/messages.js";
import { TextField } from "../text-field/text-field.tsx";

type Props = {
  /** An app's six digits, or the eight of a mail; both are shown in groups, and spaces are accepted. */
  from: "app" | "mail";
  label?: string;
  error?: string | undefined;
};

export function CodeField({ from, label = m.field_code(), error }: Props) {
  return (
    <TextField
      label={label}
      name="code"
      required
      autoComplete="one-time-code"
      inputMode="numeric"
      error={error}
      {...(from === "app" ? { pattern: "[0-9 ]*", maxLength: 9 } : { maxLength: 12 })}
    />
  );
}
