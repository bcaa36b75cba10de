// Tells an admin, and nobody else, which particulars the text does without.
import type { Spoken } from "../../spoken.ts";
import { Alert } from "../../ui/alert/alert.tsx";

const WORDS = {
  en: (names: string) =>
    `Only admins see this: the text below does without settings that are still empty (${names}). The law may demand them.`,
  de: (names: string) =>
    `Nur Admins sehen das: Dem Text unten fehlen Einstellungen, die noch leer sind (${names}). Das Gesetz kann sie verlangen.`,
};

export function MissingParticulars({ spoken, missing }: { spoken: Spoken; missing: string[] }) {
  if (missing.length === 0) return null;
  const names = new Intl.ListFormat(spoken).format(missing);
  return <Alert tone="error">{WORDS[spoken](names)}</Alert>;
}
