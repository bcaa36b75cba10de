// Tells an admin, and nobody else, which particulars the text does without.

import type { Spoken } from "#shared/spoken.ts";
import { m } from "../../../paraglide/messages.js";
import { Alert } from "../../../ui/alert/alert.tsx";

export function MissingParticulars({ spoken, missing }: { spoken: Spoken; missing: string[] }) {
  if (missing.length === 0) return null;
  const names = new Intl.ListFormat(spoken).format(missing);
  return <Alert tone="error">{m.legal_missing({ names }, { locale: spoken })}</Alert>;
}
