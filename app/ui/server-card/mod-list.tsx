// Mods that a game server needs: a few are named, many are folded.
import { m } from "../../paraglide/messages.js";
import styles from "./mod-list.module.css";

const NAMED = 3;

/** Renders nothing without mods. Opens without script. */
export function ModList({ mods, open = false }: { mods: string[]; open?: boolean }) {
  if (mods.length === 0) return null;
  const list = (
    <ul className={styles.mods}>
      {mods.map((mod) => (
        <li key={mod}>{mod}</li>
      ))}
    </ul>
  );
  if (mods.length <= NAMED) return list;
  return (
    <details open={open}>
      <summary className={styles.summary}>{m.mods_count({ count: mods.length })}</summary>
      {list}
    </details>
  );
}
