// Finds the game in an admin address.
import { data } from "react-router";
import { findGameToEdit } from "#domain/games/edits.ts";
import { requireId } from "../asked-id.ts";

/** Returns the game, or throws a 404. */
export async function requireGame(db: Parameters<typeof findGameToEdit>[0], text: string | undefined) {
  const game = await findGameToEdit(db, requireId(text));
  if (!game) throw data(null, { status: 404 });
  return game;
}
