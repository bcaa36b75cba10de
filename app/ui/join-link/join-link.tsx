// Link that opens the game on this server.
import { m } from "../../paraglide/messages.js";
import { ButtonAnchor } from "../button/button.tsx";
import { Icon } from "../icon/icon.tsx";

type Props = { href: string; name: string; down?: boolean; size?: "m" | "l" };

/** `href` must come from joinHref. `down`: can't be joined now, so it isn't highlighted. */
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
