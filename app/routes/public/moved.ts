// Addresses that were once linked and are spelt differently now: people and search engines are sent on for good.
import { data, redirect } from "react-router";
import type { Route } from "./+types/moved";

const MOVED = new Map([
  ["/game/aion", "/games/aion"],
  ["/games/skyrimtogether", "/games/skyrimtogheter"],
]);

export function loader({ request }: Route.LoaderArgs) {
  const target = MOVED.get(new URL(request.url).pathname.replace(/\/$/, ""));
  if (!target) throw data(null, { status: 404 });
  return redirect(target, 301);
}
