// Time field: typed in the reader's zone and sent in UTC; without script typed in UTC.
import { useRef } from "react";
import { useReaderZone } from "../../../ui/reader-zone.ts";
import { TextField } from "../../../ui/text-field/text-field.tsx";
import { utcOfWall, wallIn } from "../wall-time.ts";

type Props = {
  name: string;
  label: (zone: string) => string;
  hint: string;
  /** In UTC, `2026-11-20T18:30`; empty for none. */
  defaultValue: string;
  error?: string | null | undefined;
};

export function MomentField({ name, label, defaultValue, ...rest }: Props) {
  const { timeZone } = useReaderZone();
  const sent = useRef<HTMLInputElement>(null);
  const field = { ...rest, type: "datetime-local", label: label(timeZone.replaceAll("_", " ")) };
  if (timeZone === "UTC") return <TextField {...field} name={name} defaultValue={defaultValue} />;
  return (
    <>
      <input type="hidden" ref={sent} name={name} defaultValue={defaultValue} />
      <TextField
        {...field}
        key={timeZone}
        name={`${name}_here`}
        defaultValue={wallIn(timeZone, defaultValue)}
        onChange={(event) => {
          if (sent.current) sent.current.value = utcOfWall(event.currentTarget.value);
        }}
      />
    </>
  );
}
