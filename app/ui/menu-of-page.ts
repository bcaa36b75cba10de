/** Closes popover menus, which open without script, on navigation. */
import { useEffect, useRef } from "react";
import { useLocation, useNavigationType } from "react-router";

/**
 * Ref for a menu's popover: closes it on another page, but not on hydration, and not when a dialog of this page has closed and
 * its entry leaves the history.
 */
export function useMenuOfPage() {
  const menu = useRef<HTMLDivElement>(null);
  const { key, pathname, search } = useLocation();
  const type = useNavigationType();
  const at = useRef({ key, address: pathname + search });
  useEffect(() => {
    if (at.current.key === key) return;
    const isHere = at.current.address === pathname + search;
    at.current = { key, address: pathname + search };
    if (type === "POP" && isHere) return;
    if (menu.current?.matches(":popover-open")) menu.current.hidePopover();
  }, [key, pathname, search, type]);
  return menu;
}
