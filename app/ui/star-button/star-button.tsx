// Makes a game server a favourite of this browser, and no longer.
import { m } from "../../paraglide/messages.js";
import { Icon } from "../icon/icon.tsx";
import css from "./star-button.module.css";

type Props = {
  /** Of the game server. */
  name: string;
  starred: boolean;
  onToggle: () => void;
};

/** Absent without script, which it would need to remember anything. */
export function StarButton({ name, starred, onToggle }: Props) {
  return (
    <button
      type="button"
      className={css.star}
      aria-pressed={starred}
      aria-label={m.favourite_label({ server: name })}
      onClick={onToggle}
    >
      <Icon shape="star" size={18} />
    </button>
  );
}
