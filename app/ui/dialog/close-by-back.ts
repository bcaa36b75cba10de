/** Closes a dialog by "back" before leaving the page, as phone apps do: an open dialog has an entry in the history. */
import { useEffect, useRef } from "react";
import { useLocation, useNavigate, useNavigation } from "react-router";

/** State of the entry of an open dialog; its address is that of the page. */
const IN_DIALOG = "dialog";

/** @param close may leave the dialog open, if it must not close now: then it also handles the next "back" */
export function useCloseByBack(open: boolean, close: () => void): void {
  const navigate = useNavigate();
  const here = useLocation();
  const { state: activity, location: next, formMethod } = useNavigation();
  const isAtEntry = (next && !formMethod ? next : here).state === IN_DIALOG;
  const { pathname, search, hash } = here;
  const hasEntry = useRef(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `close` and the address are those of the moment
  useEffect(() => {
    if (!open) return;
    if (isAtEntry) hasEntry.current = true;
    else if (hasEntry.current) {
      hasEntry.current = false;
      close();
    } else if (activity === "idle") {
      const there = { state: IN_DIALOG, preventScrollReset: true, defaultShouldRevalidate: false };
      void navigate({ pathname, search, hash }, there);
    }
  }, [open, isAtEntry, activity]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: closed otherwise, on the page that it was opened on
  useEffect(() => {
    if (!open) return;
    return () => {
      if (hasEntry.current && location.pathname === pathname) void navigate(-1);
      hasEntry.current = false;
    };
  }, [open]);
}
