// Opens the game at this game server.
import Play from "lucide-react/icons/play";
import styles from "./join-link.module.css";

/** `href` as joinHref made it: nothing else may come here. */
export function JoinLink({ href, name }: { href: string; name: string }) {
  return (
    <a href={href} className={styles.join} aria-label={`Join ${name}`}>
      <Play aria-hidden="true" size={16} fill="currentColor" />
      Join
    </a>
  );
}
