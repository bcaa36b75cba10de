// Fills a game server's form with what the doctor found, without losing what was typed into its other fields.
import { useRef, useState } from "react";
import type { TakenValues } from "../../../ui/doctor-result/doctor-result.tsx";
import { type GameServerTexts, readFields, withTaken } from "./fields.ts";

/** `values`: what the form shows otherwise. The form gets `form` as its ref and `round` as its key. */
export function useTaken(values: GameServerTexts, games: Parameters<typeof withTaken>[2], of: unknown) {
  const form = useRef<HTMLFormElement>(null);
  const [taken, setTaken] = useState<{ fields: GameServerTexts; of: unknown; round: number } | null>(null);
  // A newer answer of the server wins over what was taken over before it.
  const current = taken?.of === of ? taken : null;
  return {
    form,
    shown: current?.fields ?? values,
    round: taken?.round ?? 0,
    /** Whether it shows what the doctor found. */
    taken: current !== null,
    take(found: TakenValues) {
      const typed = form.current ? readFields(new FormData(form.current), values) : values;
      setTaken({ fields: withTaken(typed, found, games), of, round: (taken?.round ?? 0) + 1 });
      form.current?.scrollIntoView({ block: "start" });
    },
  };
}
