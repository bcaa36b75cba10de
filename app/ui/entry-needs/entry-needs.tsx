// Shows what players need besides the address: a join code, a password if they may see it, and the admin's note.
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
  /** Of the game server, for the button's name. */
  name: string;
  /** Typed by players instead of the address; null: none. */
  joinCode: string | null;
  /** Null without a password, and if the reader may not see it. */
  password: string | null;
  access: PasswordAccess;
  note: string | null;
  /** Whether the game server itself requires a password: shown if the record has none. */
  asks: boolean;
};

/** Renders nothing if the address is enough. */
export function EntryNeeds({ name, joinCode, password, access, note, asks }: Props) {
  if (joinCode === null && access === "none" && note === null && !asks) return null;
  return (
    <div className={css.needs}>
      {joinCode !== null && (
        <CopiedText
          text={joinCode}
          label={m.entry_join_code()}
          button={m.entry_copy_join_code_label({ server: name })}
        />
      )}
      {password !== null && (
        <CopiedText
          text={password}
          label={access === "members" ? m.entry_password_for_members() : m.entry_password()}
          button={m.entry_copy_password_label({ server: name })}
        />
      )}
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

/** Text with a Copy button; `button`: its accessible name. */
function CopiedText({ text, label, button }: { text: string; label: string; button: string }) {
  return (
    <div className={css.box}>
      <p className={css.told}>
        <span className={css.label}>{label}</span>{" "}
        <code className={css.text} translate="no">
          {text}
        </code>
      </p>
      <span className={css.button}>
        <CopyButton text={text} label={m.copy()} accessibleName={button} />
      </span>
    </div>
  );
}

/** Returns here after the login. */
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
