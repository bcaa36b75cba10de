// Links within the site: they keep the language of the page that they stand on.
import type { ComponentProps } from "react";
import { Link as RouterLink, NavLink as RouterNavLink } from "react-router";
import { here } from "../../language.ts";

/** `to` is an address of the site in English ("/dashboard"). */
export function Link({ to, ...rest }: { to: string } & Omit<ComponentProps<typeof RouterLink>, "to">) {
  return <RouterLink {...rest} to={here(to)} />;
}

/** The same, marked when it leads to where one is. */
export function NavLink({ to, ...rest }: { to: string } & Omit<ComponentProps<typeof RouterNavLink>, "to">) {
  return <RouterNavLink {...rest} to={here(to)} />;
}
