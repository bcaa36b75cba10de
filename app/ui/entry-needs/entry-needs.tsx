// What a game server asks for on the way in, besides its address: a password, by whoever may read it, and the admin's note.
import { use } from "react";
import { useLocation } from "react-router";
import type { PasswordAccess } from "#shared/password-access.ts";
import { m } from "../../paraglide/messages.js";
import { CopyButton } from "../copy-button/copy-button.tsx";
import { PageIcon } from "../icon/more-icons.tsx";
import { Link } from "../link/link.tsx";
import css from "./entry-needs.module.css";
import { InviteContext } from "./invite-context.ts";

type Props = {
  /** Of the game server, for the name of the button. */
  name: string;
  /** Null where there is none, and where the reader may not read it. */
  password: string | null;
  access: PasswordAccess;
  note: string | null;
  /** Whether the game server itself says that it asks for a password: told where the record knows of none. */
  asks: boolean;
};

/** Nothing, where an address is enough. */
export function EntryNeeds({ name, password, access, note, asks }: Props) {
  if (access === "none" && note === null && !asks) return null;
  return (
    <div className={css.needs}>
      {password !== null && <Password name={name} password={password} forMembers={access === "members"} />}
      {password === null && access === "members" && <SignInForIt />}
      {password === null && (access === "ask" || access === "public") && <AskForIt why={m.entry_ask()} />}
      {access === "none" && asks && (
        <div className={css.asks}>
          <PageIcon shape="lock" size={16} />
          <AskForIt why={m.entry_asks_itself()} />
        </div>
      )}
      {note !== null && <p className={css.note}>{note}</p>}
    </div>
  );
}

function Password({ name, password, forMembers }: { name: string; password: string; forMembers: boolean }) {
  return (
    <div className={css.box}>
      <p className={css.told}>
        <span className={css.label}>{forMembers ? m.entry_password_for_members() : m.entry_password()}</span>{" "}
        <code className={css.password} translate="no">
          {password}
        </code>
      </p>
      <span className={css.button}>
        <CopyButton text={password} label={m.copy()} accessibleName={m.entry_copy_password_label({ server: name })} />
      </span>
    </div>
  );
}

/** Leads back here afterwards. */
function SignInForIt() {
  const { pathname } = useLocation();
  return (
    <p>
      {m.entry_members()}{" "}
      <Link to={`/login/?next=${encodeURIComponent(pathname)}`} className={css.way}>
        {m.entry_members_sign_in()}
      </Link>
    </p>
  );
}

function AskForIt({ why }: { why: string }) {
  const invite = use(InviteContext);
  return (
    <p>
      {why}{" "}
      {invite ? (
        <a href={invite} rel="noopener noreferrer" target="_blank" className={css.way}>
          {m.entry_ask_discord()}
          <span className="visually-hidden"> {m.nav_other_site()}</span>
        </a>
      ) : (
        <Link to="/contact" className={css.way}>
          {m.entry_ask_us()}
        </Link>
      )}
    </p>
  );
}
