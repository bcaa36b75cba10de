// "Send to a friend": the browser's share sheet, else a dialog with text, link and QR code.
import { type MouseEvent, useState } from "react";
import { useNavigate } from "react-router";
import { here } from "../../language.ts";
import { m } from "../../paraglide/messages.js";
import { ButtonLink } from "../button/button.tsx";
import { useFetchedPart } from "../fetched-part.ts";
import { PageIcon } from "../icon/more-icons.tsx";
import css from "./share-link.module.css";
import { type SharedServer, shareText } from "./share-text.ts";

const loadDialog = () => import("./share-dialog.tsx");

type Props = {
  server: SharedServer;
  /** Only the icon, for small spaces. */
  small?: boolean;
};

/** Link to the page for a friend; without script that page can be shared. */
export function ShareLink({ server, small = false }: Props) {
  const [open, setOpen] = useState(false);
  const path = `/join/${server.server_id}`;
  const navigate = useNavigate();
  // On failure it works as a plain link.
  const { Part: ShareDialog, fetchPart } = useFetchedPart(loadDialog, () => void navigate(here(path)));

  async function share(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    const page = { title: server.name, text: shareText(server), url: new URL(here(path), location.origin).href };
    if (navigator.canShare?.(page)) {
      try {
        return await navigator.share(page);
      } catch (error) {
        // Closing the browser's sheet is a decision; anything else means that sharing doesn't work.
        if (error instanceof DOMException && error.name === "AbortError") return;
      }
    }
    fetchPart();
    setOpen(true);
  }

  return (
    <span className={css.frame} data-small={small || undefined}>
      <ButtonLink
        to={path}
        variant="tonal"
        onClick={share}
        aria-haspopup="dialog"
        aria-label={m.share_label({ server: server.name })}
      >
        <PageIcon shape="send" size={17} />
        {!small && m.share_title()}
      </ButtonLink>
      {ShareDialog && <ShareDialog server={server} open={open} onClose={() => setOpen(false)} />}
    </span>
  );
}
