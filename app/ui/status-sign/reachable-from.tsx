// That a game server which this site does not reach answers elsewhere: so its people can still get in.
import { language } from "../../language.ts";
import { m } from "../../paraglide/messages.js";
import css from "./reachable-from.module.css";

/** Nothing where no outpost reaches it, or the site itself does. */
export function ReachableFrom({ places = [] }: { places?: string[] | undefined }) {
  if (places.length === 0) return null;
  const list = new Intl.ListFormat(language(), { type: "conjunction" }).format(places);
  return <p className={css.elsewhere}>{m.server_reachable_from({ places: list })}</p>;
}
