// The doctor beside a game server's form: in its own column if there is room, else folded above the form.
import { useEffect, useRef } from "react";
import { DoctorPanel } from "../../../ui/doctor-result/doctor-panel.tsx";
import type { TakenValues } from "../../../ui/doctor-result/doctor-result.tsx";
import css from "./form.module.css";
import type { GameServerChoices } from "./form.tsx";

/** Width from which FormBeside has two columns. */
const HAS_COLUMN = "(width >= 80rem)";

type Props = {
  title: string;
  address: string;
  types: GameServerChoices["types"];
  onTake: (values: TakenValues) => void;
  /** Address of the heartbeat page, if the server is saved. */
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
