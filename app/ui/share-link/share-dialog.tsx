// Dialog of "Send to a friend", loaded on demand.
import { useMemo } from "react";
import { qrPath } from "#shared/qr-path.ts";
import { here } from "../../language.ts";
import { m } from "../../paraglide/messages.js";
import { CopyButton } from "../copy-button/copy-button.tsx";
import { Dialog } from "../dialog/dialog.tsx";
import { QrCode } from "../qr-code/qr-code.tsx";
import css from "./share-link.module.css";
import { type SharedServer, shareText } from "./share-text.ts";

type Props = { server: SharedServer; open: boolean; onClose: () => void };

export default function ShareDialog({ server, open, onClose }: Props) {
  const link = new URL(here(`/join/${server.server_id}`), location.origin).href;
  const text = `${shareText(server)}\n${link}`;
  const code = useMemo(() => qrPath(link), [link]);
  return (
    <Dialog title={m.share_title()} open={open} onClose={onClose} close={m.share_close()}>
      <div className={css.dialog}>
        <div className={css.message}>
          <p className={css.hint}>{m.share_text_label()}</p>
          <pre className={css.text}>{text}</pre>
          {server.password_access === "members" && <p className={css.hint}>{m.share_without_password()}</p>}
          {server.password_access === "ask" && <p className={css.hint}>{m.share_ask_password()}</p>}
          <CopyButton text={text} label={m.share_copy()} accessibleName={m.share_copy_label()} main />
        </div>
        <figure className={css.code}>
          <QrCode {...code} label={m.share_qr_label({ server: server.name })} />
          <figcaption>{m.share_qr()}</figcaption>
        </figure>
      </div>
    </Dialog>
  );
}
