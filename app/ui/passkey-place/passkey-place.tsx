// Explains why passkeys can't be used at this address, and where they can.
import { m } from "../../paraglide/messages.js";
import type { NoPasskeys } from "../../passkeys.ts";

type Props = {
  why: NoPasskeys;
  /** Path of the current page. */
  path: string;
  className?: string | undefined;
};

export function PasskeyPlace({ why: { reason, instead }, path, className }: Props) {
  return (
    <p className={className}>
      {reason === "number" ? m.passkey_number() : m.passkey_not_secure()}{" "}
      {instead === null ? m.passkey_nowhere() : <a href={instead + path}>{m.passkey_there({ address: instead })}</a>}
    </p>
  );
}
