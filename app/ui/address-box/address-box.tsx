// The way into a game server: the address as text, Copy, and Join where the game has a link.
import { m } from "../../paraglide/messages.js";
import { CopyButton } from "../copy-button/copy-button.tsx";
import { JoinLink } from "../join-link/join-link.tsx";
import styles from "./address-box.module.css";

type AddressBoxProps = {
  /** Of the game server, for the names of the buttons. */
  name: string;
  /** "host:port"; null while nobody has announced it. */
  address: string | null;
  joinHref: string | null;
  /** It cannot be joined just now: Join stays, and does not shine. */
  down?: boolean;
  /** Why there is no address; said in its place. */
  without?: string;
  /** On phones the buttons are in a bar at the thumb, and here only the text is shown. */
  buttonsElsewhere?: boolean;
};

/** Without script the address is text that one press selects. */
export function AddressBox(props: AddressBoxProps) {
  const {
    name,
    address,
    joinHref,
    without = m.address_not_announced(),
    down = false,
    buttonsElsewhere = false,
  } = props;
  if (address === null) return <p className={styles.without}>{without}</p>;
  return (
    <div className={styles.box} data-buttons={buttonsElsewhere ? "elsewhere" : "here"}>
      <span className="visually-hidden">{m.address_spoken()}</span>
      <code className={styles.address}>{address}</code>
      <span className={styles.buttons}>
        <CopyButton text={address} words={m.copy()} label={m.copy_label({ server: name })} />
        {joinHref && <JoinLink href={joinHref} name={name} down={down} />}
      </span>
    </div>
  );
}
