// Adds or removes a game server as this browser's favourite.
import { m } from "../../paraglide/messages.js";
import { Icon } from "../icon/icon.tsx";
import css from "./star-button.module.css";

type Props = {
  /** Of the game server. */
  name: string;
  starred: boolean;
  onToggle: () => void;
};

/** Hidden without script, which it needs. */
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
