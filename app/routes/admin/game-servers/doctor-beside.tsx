// The doctor beside the form of a game server: open in its column where there is room for one, folded above the form elsewhere.
import { useEffect, useRef } from "react";
import { DoctorPanel } from "../../../ui/doctor-result/doctor-panel.tsx";
import type { TakenValues } from "../../../ui/doctor-result/doctor-result.tsx";
import css from "./form.module.css";
import type { GameServerChoices } from "./form.tsx";

/** As wide as FormBeside has two columns. */
const HAS_COLUMN = "(width >= 80rem)";

type Props = {
  title: string;
  address: string;
  types: GameServerChoices["types"];
  onTake: (values: TakenValues) => void;
  /** Where the line for its heartbeat is, where it is saved already. */
  heartbeatAt?: string;
};

export function DoctorBeside({ title, address, types, onTake, heartbeatAt }: Props) {
  const fold = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (fold.current && matchMedia(HAS_COLUMN).matches) fold.current.open = true;
  }, []);
  return (
    <details ref={fold} className={css.doctor}>
      <summary className={css.summary}>{title}</summary>
      <DoctorPanel onTake={onTake} games={types} address={address} heartbeatAt={heartbeatAt} />
    </details>
  );
}
