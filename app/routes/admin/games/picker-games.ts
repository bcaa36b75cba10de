// The catalogue as lists of choices show it: by the ids of its games, or by the types that the query library knows.
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

/** Every game of the catalogue, to be taken by its id: with the picture that it would show. */
export async function listPickerGames(db: Parameters<typeof listShownLandscapes>[0]): Promise<PickerGame[]> {
  const taken = await listShownLandscapes(db);
  return listCatalogueChoices().map((game) => shown(game, game.id, taken));
}

/** Those that can be asked by a type of the query library, to be named by it. */
export const listPickerTypes = (): PickerGame[] =>
  listCatalogueChoices().flatMap((game) => (game.gameType === null ? [] : [shown(game, game.gameType)]));

/** The games of the catalogue that the site has, with the address of each in the admin area. */
export async function listTaken(db: Parameters<typeof listTakenGames>[0]): Promise<Record<string, string>> {
  const taken = await listTakenGames(db);
  return Object.fromEntries(taken.map(({ catalogue_id, game_id }) => [catalogue_id, `/admin/games/${game_id}/edit`]));
}
