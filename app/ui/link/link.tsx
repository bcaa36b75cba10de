// Links within the site: keep the page's language.
import type { ComponentProps } from "react";
import { Link as RouterLink, NavLink as RouterNavLink } from "react-router";
import { here } from "../../language.ts";

type Attributes = ComponentProps<typeof RouterLink>;

/**
 * `to` is an English address of the site ("/dashboard"); `mask`: the address that the browser shows instead. The browser has all
 * routes from the start and discovers none by links.
 */
export function Link({ to, mask, ...rest }: { to: string; mask?: string } & Omit<Attributes, "to" | "mask">) {
  return <RouterLink discover="none" {...rest} to={here(to)} {...(mask !== undefined && { mask: here(mask) })} />;
}

/** The same, marked if it leads to the current page. */
export function NavLink({ to, ...rest }: { to: string } & Omit<ComponentProps<typeof RouterNavLink>, "to">) {
  return <RouterNavLink discover="none" {...rest} to={here(to)} />;
}
