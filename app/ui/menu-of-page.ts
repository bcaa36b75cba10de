/** Menus that are popovers open without script; with it they do not outlive the page that they were opened on. */
import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

/** For the popover of a menu: closes it when another page has opened, not when the scripts of this one arrive. */
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
