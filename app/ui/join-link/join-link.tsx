// Opens the game at this game server.
import Play from "lucide-react/icons/play";
import { ButtonAnchor } from "../button/button.tsx";

/** `href` as joinHref made it: nothing else may come here. `down`: it cannot be joined just now, and does not shine. */
export function JoinLink({ href, name, down = false }: { href: string; name: string; down?: boolean }) {
  return (
    <ButtonAnchor href={href} variant={down ? "outlined" : "default"} aria-label={`Join ${name}`}>
      <Play aria-hidden="true" size={15} fill="currentColor" />
      Join
    </ButtonAnchor>
  );
}
