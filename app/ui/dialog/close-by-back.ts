/**
 * "Back" closes a dialog before it leaves the page, as on a phone whatever lies over a page is closed. While one is open the history
 * has an entry more, with the same address, of which the router hears nothing: it would load the page again.
 */
import { useEffect, useRef } from "react";
import { hearBackFirst } from "./before-router.ts";

/** Marks the entry of the dialog that is open. */
const MARK = "spawnpointDialog";

type EntryState = { idx?: number } & Record<string, unknown>;

const stateNow = (): EntryState => (history.state as EntryState | null) ?? {};
const isOurs = (): boolean => stateNow()[MARK] === true;

/** The router counts its entries in `idx`, also when a link in the dialog takes the place of this one. */
function addEntry(): void {
  const { idx, ...rest } = stateNow();
  history.pushState({ ...rest, ...(idx !== undefined && { idx: idx + 1 }), [MARK]: true }, "");
}

/** After so long a dialog that was asked to close and is still there stays. */
const CLOSES_WITHIN_MS = 100;

/** @param close may leave the dialog open, where it must not close now: then the next "back" is for it again */
export function useCloseByBack(open: boolean, close: () => void): void {
  const closeNow = useRef(close);
  closeNow.current = close;
  useEffect(() => {
    if (!open) return;
    let waiting: ReturnType<typeof setTimeout> | undefined;
    // A page that was loaded again stands on such an entry already.
    if (!isOurs()) addEntry();
    hearBackFirst((event) => {
      if (isOurs()) return;
      event.stopImmediatePropagation();
      closeNow.current();
      waiting = setTimeout(addEntry, CLOSES_WITHIN_MS);
    });
    return () => {
      clearTimeout(waiting);
      hearBackFirst(null);
      // Nothing is left to take back after "back", and where a link has taken the entry's place.
      if (!isOurs()) return;
      hearBackFirst((event) => {
        hearBackFirst(null);
        event.stopImmediatePropagation();
      });
      history.back();
    };
  }, [open]);
}
