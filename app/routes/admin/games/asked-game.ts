// The game that an address of the admin area names.
import { data } from "react-router";
import { findGameToEdit } from "#domain/games/edits.ts";
import { requireId } from "../asked-id.ts";

/** The game, or the 404 page. */
export async function requireGame(db: Parameters<typeof findGameToEdit>[0], text: string | undefined) {
  const game = await findGameToEdit(db, requireId(text));
  if (!game) throw data(null, { status: 404 });
  return game;
}
