/**
 * Closes a dialog by "back" before leaving the page, as phone apps do. While a dialog is open the history has an extra entry with
 * the same address, hidden from the router, which would reload the page.
 */
import { useEffect, useRef } from "react";
import { hearBackFirst } from "./before-router.ts";

/** Marks the entry of the open dialog. */
const MARK = "spawnpointDialog";

type EntryState = { idx?: number } & Record<string, unknown>;

const stateNow = (): EntryState => (history.state as EntryState | null) ?? {};
const isOurs = (): boolean => stateNow()[MARK] === true;

/** The router counts its entries in `idx`, also when a link in the dialog replaces this one. */
function addEntry(): void {
  const { idx, ...rest } = stateNow();
  history.pushState({ ...rest, ...(idx !== undefined && { idx: idx + 1 }), [MARK]: true }, "");
}

/** A dialog still open after this time stays open. */
const CLOSES_WITHIN_MS = 100;

/** @param close may leave the dialog open, if it must not close now: then it also handles the next "back" */
export function useCloseByBack(open: boolean, close: () => void): void {
  const closeNow = useRef(close);
  closeNow.current = close;
  useEffect(() => {
    if (!open) return;
    let waiting: ReturnType<typeof setTimeout> | undefined;
    // A reloaded page already has such an entry.
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
      // Nothing to undo after "back", or if a link has replaced the entry.
      if (!isOurs()) return;
      hearBackFirst((event) => {
        hearBackFirst(null);
        event.stopImmediatePropagation();
      });
      history.back();
    };
  }, [open]);
}
