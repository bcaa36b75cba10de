// Field for the address of an existing account.
import { m } from "../../../paraglide/messages.js";
import { TextField } from "../../../ui/text-field/text-field.tsx";

export function EmailField({ given }: { given: string | undefined }) {
  return (
    <TextField
      label={m.field_email()}
      name="email"
      type="email"
      required
      autoComplete="username"
      inputMode="email"
      maxLength={254}
      defaultValue={given}
    />
  );
}
