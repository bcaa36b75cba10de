// The game that an address of the admin area names.
import { data } from "react-router";
import { findGameToEdit } from "#domain/games/edits.ts";

/** The number in an address; null for anything that is no id. */
export const readId = (text: string | undefined): number | null =>
  text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;

/** The game, or the 404 page. */
export async function requireGame(db: Parameters<typeof findGameToEdit>[0], text: string | undefined) {
  const id = readId(text);
  const game = id === null ? null : await findGameToEdit(db, id);
  if (!game) throw data(null, { status: 404 });
  return game;
}
