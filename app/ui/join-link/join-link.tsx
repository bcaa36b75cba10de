// Opens the game at this game server.
import { m } from "../../paraglide/messages.js";
import { ButtonAnchor } from "../button/button.tsx";
import { Icon } from "../icon/icon.tsx";

type Props = { href: string; name: string; down?: boolean; size?: "m" | "l" };

/** `href` as joinHref made it: nothing else may come here. `down`: it cannot be joined just now, and does not shine. */
export function JoinLink({ href, name, down = false, size = "m" }: Props) {
  return (
    <ButtonAnchor
      href={href}
      size={size}
      variant={down ? "outlined" : "default"}
      aria-label={m.join_label({ server: name })}
    >
      <Icon shape="play" size={15} />
      {m.join()}
    </ButtonAnchor>
  );
}
