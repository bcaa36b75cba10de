// Links within the site: they keep the language of the page that they stand on.
import type { ComponentProps } from "react";
import { Link as RouterLink, NavLink as RouterNavLink } from "react-router";
import { here } from "../../language.ts";

type Attributes = ComponentProps<typeof RouterLink>;

/**
 * `to` is an address of the site in English ("/dashboard"); `mask`: the one that the browser shows in its place. The browser has
 * all routes from the start and discovers none by a link.
 */
export function Link({ to, mask, ...rest }: { to: string; mask?: string } & Omit<Attributes, "to" | "mask">) {
  return <RouterLink discover="none" {...rest} to={here(to)} {...(mask !== undefined && { mask: here(mask) })} />;
}

/** The same, marked when it leads to where one is. */
export function NavLink({ to, ...rest }: { to: string } & Omit<ComponentProps<typeof RouterNavLink>, "to">) {
  return <RouterNavLink discover="none" {...rest} to={here(to)} />;
}
