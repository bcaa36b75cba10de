// Explains why catalogue games could not be added.
import { findCatalogueGame, type TakenGames } from "#domain/games/catalogue.ts";
import { m } from "../../../paraglide/messages.js";

/** Names refused games and the reason; says that the rest was added. */
export function refusedGamesText({ taken, refused }: TakenGames): string {
  const unknown = refused.flatMap(({ reason, catalogue_id }) =>
    reason === "unknown" ? [catalogue_id.slice(0, 60)] : [],
  );
  const names = refused.flatMap((one) =>
    one.reason === "name_taken" ? [findCatalogueGame(one.catalogue_id)?.name ?? one.catalogue_id] : [],
  );
  const said = [
    unknown.length > 0 && m.admin_catalogue_unknown({ ids: unknown.slice(0, 5).join(", ") }),
    names.length > 0 && m.admin_catalogue_names({ names: names.join(", ") }),
    taken.length > 0 && m.admin_catalogue_rest(),
  ];
  return said.filter(Boolean).join(" ");
}
