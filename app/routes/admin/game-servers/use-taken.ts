// Fills a game server's form with the doctor's findings, keeping what was typed into other fields.
import { useRef, useState } from "react";
import type { TakenValues } from "../../../ui/doctor-result/doctor-result.tsx";
import { type GameServerTexts, readFields, withTaken } from "./fields.ts";

/** `values`: what the form shows otherwise. Pass `form` as the form's ref and `round` as its key. */
export function useTaken(values: GameServerTexts, games: Parameters<typeof withTaken>[2], of: unknown) {
  const form = useRef<HTMLFormElement>(null);
  const [taken, setTaken] = useState<{ fields: GameServerTexts; of: unknown; round: number } | null>(null);
  // A newer answer of the server replaces earlier findings.
  const current = taken?.of === of ? taken : null;
  return {
    form,
    shown: current?.fields ?? values,
    round: taken?.round ?? 0,
    /** Whether the form shows the doctor's findings. */
    taken: current !== null,
    take(found: TakenValues) {
      const typed = form.current ? readFields(new FormData(form.current), values) : values;
      setTaken({ fields: withTaken(typed, found, games), of, round: (taken?.round ?? 0) + 1 });
      form.current?.scrollIntoView({ block: "start" });
    },
  };
}
