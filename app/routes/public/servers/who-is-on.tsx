// Names of current players for members, if an admin has turned the list on; visitors learn that it exists.
import { useLocation } from "react-router";
import { formatNumber } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";
import { Link } from "../../../ui/link/link.tsx";
import styles from "./who-is-on.module.css";

/** `for_members`: the reader isn't logged in and gets no names; null: the names aren't known now. */
export type NamesNow = string[] | "for_members" | null;

/** `online`: number of players, named or not. */
export function WhoIsOn({ names, online }: { names: NamesNow; online: number | null }) {
  return (
    <section className={`page ${styles.who}`} aria-labelledby="who-is-on">
      <h2 id="who-is-on">{m.who_title()}</h2>
      {names === "for_members" ? <ForMembers /> : <Names names={names} online={online} />}
    </section>
  );
}

function ForMembers() {
  const { pathname } = useLocation();
  return (
    <p>
      {m.who_for_members()}{" "}
      <Link to={`/login/?next=${encodeURIComponent(pathname)}`} className={styles.way}>
        {m.sign_in()}
      </Link>
    </p>
  );
}

function Names({ names, online }: { names: string[] | null; online: number | null }) {
  if (names === null) return <p>{m.who_unknown()}</p>;
  const others = Math.max(0, (online ?? 0) - names.length);
  return (
    <>
      {names.length > 0 && (
        <ul className={styles.names}>
          {names.map((name) => (
            <li key={name}>
              <bdi>{name}</bdi>
            </li>
          ))}
          {others > 0 && <li className={styles.others}>{m.who_others({ count: formatNumber(others) })}</li>}
        </ul>
      )}
      {names.length === 0 && <p>{m.who_nobody()}</p>}
      <p className={styles.note}>
        {m.who_note()}{" "}
        <Link to="/user/settings/profile#player-names" className={styles.way}>
          {m.who_hide()}
        </Link>
      </p>
    </>
  );
}
