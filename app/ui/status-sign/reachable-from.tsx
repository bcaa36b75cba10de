// Says that outposts reach a game server that this site doesn't: players can still join.
import { language } from "../../language.ts";
import { m } from "../../paraglide/messages.js";
import css from "./reachable-from.module.css";

/** Renders nothing if no outpost reaches it, or the site itself does. */
export function ReachableFrom({ places = [] }: { places?: string[] | undefined }) {
  if (places.length === 0) return null;
  const list = new Intl.ListFormat(language(), { type: "conjunction" }).format(places);
  return <p className={css.elsewhere}>{m.server_reachable_from({ places: list })}</p>;
}
