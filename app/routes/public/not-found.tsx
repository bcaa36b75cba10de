// 404 page for every unknown address, shown by the layout's boundary. Also renders refusals from outside the routes: this page has
// no address of its own, and any address may get it.
import { data } from "react-router";
import { refusalContext } from "#web/context.ts";
import type { Route } from "./+types/not-found";

export function loader({ context }: Route.LoaderArgs) {
  const refusal = context.get(refusalContext);
  if (refusal)
    throw data({ reason: refusal.reason, typed: refusal.typed, home: refusal.home }, { status: refusal.status });
  throw data(null, { status: 404 });
}

/** A link to an unknown address loads a new document: its page has no script. */
export function clientLoader({ url }: Route.ClientLoaderArgs): Promise<never> {
  const { href } = url;
  // Back and forward have already changed the address.
  if (href === location.href) location.reload();
  else location.assign(href);
  return new Promise(() => {});
}

/** Posts get a 404 too. */
export function action() {
  throw data(null, { status: 404 });
}

export default function NotFoundRoute() {
  return null;
}
