// Makes a game server a favourite of this browser, and no longer.
import Star from "lucide-react/icons/star";
import { m } from "../../paraglide/messages.js";
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
      <Star aria-hidden="true" size={18} />
    </button>
  );
}
