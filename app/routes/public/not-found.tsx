// Every address that the map does not know: 404, shown by the layout's boundary. The page of a refusal that arose outside of
// the routes is made here too: it is of no address, and every address may get it.
import { data } from "react-router";
import { refusalContext } from "#web/context.ts";
import type { Route } from "./+types/not-found";

export function loader({ context }: Route.LoaderArgs) {
  const refusal = context.get(refusalContext);
  if (refusal)
    throw data({ reason: refusal.reason, typed: refusal.typed, home: refusal.home }, { status: refusal.status });
  throw data(null, { status: 404 });
}

/** A link to an address that no route has leads to a new document: its page has no script. */
export function clientLoader({ request }: Route.ClientLoaderArgs): Promise<never> {
  const { href } = new URL(request.url);
  // Back and forward have changed the address already.
  if (href === location.href) location.reload();
  else location.assign(href);
  return new Promise(() => {});
}

/** Nothing is here to post to either. */
export function action() {
  throw data(null, { status: 404 });
}

export default function NotFoundRoute() {
  return null;
}
