// Lists the catalogue for pickers: by game ids, or by types of the query library.
import { landscapeFor } from "#content/landscapes/landscapes.ts";
import { listCatalogueChoices, listTakenGames } from "#domain/games/catalogue.ts";
import { listShownLandscapes } from "#domain/games/insert-game.ts";
import { landscapePicture } from "../../../game-picture.ts";
import { findThumb } from "../../../pictures.ts";
import type { PickerGame } from "../../../ui/game-picker/picker-game.ts";

type Choice = ReturnType<typeof listCatalogueChoices>[number];

const shown = ({ id, gameType: _, ...game }: Choice, value: string, taken?: ReadonlySet<string>): PickerGame => ({
  ...game,
  value,
  thumb: (game.first ? findThumb(id) : null) ?? landscapePicture(landscapeFor(game.name, taken), [345]).fallback,
});

/** Lists every catalogue game by id, with the picture it would show. */
export async function listPickerGames(db: Parameters<typeof listShownLandscapes>[0]): Promise<PickerGame[]> {
  const taken = await listShownLandscapes(db);
  return listCatalogueChoices().map((game) => shown(game, game.id, taken));
}

/** Lists games that the query library can poll, by its types. */
export const listPickerTypes = (): PickerGame[] =>
  listCatalogueChoices().flatMap((game) => (game.gameType === null ? [] : [shown(game, game.gameType)]));

/** Maps the catalogue games that the site has to their admin addresses. */
export async function listTaken(db: Parameters<typeof listTakenGames>[0]): Promise<Record<string, string>> {
  const taken = await listTakenGames(db);
  return Object.fromEntries(taken.map(({ catalogue_id, game_id }) => [catalogue_id, `/admin/games/${game_id}/edit`]));
}
