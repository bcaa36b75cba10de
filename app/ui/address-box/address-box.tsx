// The way into a game server: the address as text, Copy, and Join where the game has a link.
import type { ReactNode } from "react";
import type { ShownStatus } from "#shared/statuses.ts";
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
  /** While it is offline Join stays, and does not shine; without an address it says why there is none. */
  status: ShownStatus;
  /** On phones the buttons are in a bar at the thumb, and here only the text is shown. */
  buttonsElsewhere?: boolean;
  /** Copy is what is to be done here. */
  main?: boolean;
  /** Further buttons, behind its own. */
  children?: ReactNode;
};

/** Why a game server in this state has no address to show. */
export function withoutAddress(status: ShownStatus): string {
  if (status === "inactive") return m.address_inactive();
  return status === "maintenance" ? m.address_maintenance() : m.address_not_announced();
}

/** On a page of its own: where nothing opens the game, copying is what is to be done; unless there is nobody to go to. */
export const isMainWay = (joinHref: string | null, status: ShownStatus) => joinHref === null && status !== "offline";

/** Without script the address is text that one press selects. */
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
