// Opens the game at this game server.
import Play from "lucide-react/icons/play";
import { ButtonAnchor } from "../button/button.tsx";

/** `href` as joinHref made it: nothing else may come here. */
export function JoinLink({ href, name }: { href: string; name: string }) {
  return (
    <ButtonAnchor href={href} aria-label={`Join ${name}`}>
      <Play aria-hidden="true" size={15} fill="currentColor" />
      Join
    </ButtonAnchor>
  );
}
