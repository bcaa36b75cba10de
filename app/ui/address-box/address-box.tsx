// Address of a game server as text, with Copy, and Join if the game has a link.
import type { ReactNode } from "react";
import type { ShownStatus } from "#shared/statuses.ts";
import { m } from "../../paraglide/messages.js";
import { CopyButton } from "../copy-button/copy-button.tsx";
import { JoinLink } from "../join-link/join-link.tsx";
import styles from "./address-box.module.css";

type AddressBoxProps = {
  /** Of the game server, for button names. */
  name: string;
  /** "host:port"; null if not announced. */
  address: string | null;
  joinHref: string | null;
  /** Offline, Join stays but isn't highlighted; without an address the box says why. */
  status: ShownStatus;
  /** On phones the buttons are in a bottom bar, and only the text is shown here. */
  buttonsElsewhere?: boolean;
  /** Copy is the main action. */
  main?: boolean;
  /** Further buttons, after its own. */
  children?: ReactNode;
};

/** Explains why a game server in this state has no address. */
export function withoutAddress(status: ShownStatus): string {
  if (status === "inactive") return m.address_inactive();
  return status === "maintenance" ? m.address_maintenance() : m.address_not_announced();
}

/** True if copying is the main action on a server's page: no link opens the game, and the server isn't offline. */
export const isMainWay = (joinHref: string | null, status: ShownStatus) => joinHref === null && status !== "offline";

/** Without script the address is text that one click selects. */
export function AddressBox(props: AddressBoxProps) {
  const { name, address, joinHref, status, buttonsElsewhere = false, main = false, children } = props;
  if (address === null) return <p className={styles.without}>{withoutAddress(status)}</p>;
  return (
    <div className={styles.box} data-buttons={buttonsElsewhere ? "elsewhere" : "here"}>
      <span className="visually-hidden">{m.address_spoken()}</span>
      <code className={styles.address}>{address}</code>
      <span className={styles.buttons}>
        <CopyButton text={address} label={m.copy()} accessibleName={m.copy_label({ server: name })} main={main} />
        {joinHref && <JoinLink href={joinHref} name={name} down={status === "offline"} />}
        {children}
      </span>
    </div>
  );
}
