// The catalogue as lists of choices show it: by the ids of its games, or by the types that the query library knows.
import { listCatalogueChoices, listTakenGames } from "#domain/games/catalogue.ts";
import { findThumb } from "../../../pictures.ts";
import type { PickerGame } from "../../../ui/game-picker/picker-game.ts";

type Choice = ReturnType<typeof listCatalogueChoices>[number];

const TONES = 12;

/** The steps of the hue stand for any colour; each game keeps its own. */
const toneOf = (id: string) => [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 7) % TONES;

const shown = ({ id, gameType: _, ...game }: Choice, value: string): PickerGame => ({
  ...game,
  value,
  thumb: game.first ? findThumb(id) : null,
  tone: toneOf(id),
});

/** Every game of the catalogue, to be taken by its id. */
export const listPickerGames = (): PickerGame[] => listCatalogueChoices().map((game) => shown(game, game.id));

/** Those that can be asked by a type of the query library, to be named by it. */
export const listPickerTypes = (): PickerGame[] =>
  listCatalogueChoices().flatMap((game) => (game.gameType === null ? [] : [shown(game, game.gameType)]));

/** The games of the catalogue that the site has, with the address of each in the admin area. */
export async function listTaken(db: Parameters<typeof listTakenGames>[0]): Promise<Record<string, string>> {
  const taken = await listTakenGames(db);
  return Object.fromEntries(taken.map(({ catalogue_id, game_id }) => [catalogue_id, `/admin/games/${game_id}/edit`]));
}
