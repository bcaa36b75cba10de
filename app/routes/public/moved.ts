// Redirects old addresses permanently.
import { data, redirect } from "react-router";
import { twinOf } from "#shared/locale.ts";
import { here } from "../../language.ts";
import type { Route } from "./+types/moved";

const MOVED = new Map([
  ["/game/aion", "/games/aion"],
  ["/games/skyrimtogether", "/games/skyrimtogheter"],
]);

export function loader({ url }: Route.LoaderArgs) {
  const target = MOVED.get(twinOf(url.pathname, "en").replace(/\/$/, ""));
  if (!target) throw data(null, { status: 404 });
  return redirect(here(target), 301);
}
