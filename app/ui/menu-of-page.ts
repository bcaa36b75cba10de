/** Closes popover menus, which open without script, on navigation. */
import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

/** Ref for a menu's popover: closes it on another page, but not on hydration. */
export function useMenuOfPage() {
  const menu = useRef<HTMLDivElement>(null);
  const { key } = useLocation();
  const openedAt = useRef(key);
  useEffect(() => {
    if (openedAt.current === key) return;
    openedAt.current = key;
    if (menu.current?.matches(":popover-open")) menu.current.hidePopover();
  }, [key]);
  return menu;
}
