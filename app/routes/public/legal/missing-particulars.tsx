// Lists missing particulars, for admins only.

import type { Locale } from "#shared/locale.ts";
import { m } from "../../../paraglide/messages.js";
import { Alert } from "../../../ui/alert/alert.tsx";

export function MissingParticulars({ locale, missing }: { locale: Locale; missing: string[] }) {
  if (missing.length === 0) return null;
  const names = new Intl.ListFormat(locale).format(missing);
  return <Alert tone="error">{m.legal_missing({ names }, { locale: locale })}</Alert>;
}
