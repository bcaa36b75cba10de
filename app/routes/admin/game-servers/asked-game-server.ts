// Finds the game server in an admin address, and the choices for its form.
import { data } from "react-router";
import { LONGEST_SECRET } from "#domain/game-servers/adapter-secrets.ts";
import { findGameServerToEdit } from "#domain/game-servers/edits.ts";
import { GAME_SERVER_LIMITS } from "#domain/game-servers/fields.ts";
import { listGameChoices } from "#domain/games/edits.ts";
import type { AppParts } from "#web/context.ts";
import { requireId } from "../asked-id.ts";
import { listPickerTypes } from "../games/picker-games.ts";
import type { GameServerChoices } from "./form.tsx";

type Db = Parameters<typeof findGameServerToEdit>[0];

/** Returns the game server, or throws a 404. */
export async function requireGameServer(db: Db, text: string | undefined) {
  const server = await findGameServerToEdit(db, requireId(text));
  if (!server) throw data(null, { status: 404 });
  return server;
}

/** Data for the heading of its pages. */
export const headOf = ({ server_id, form }: Awaited<ReturnType<typeof requireGameServer>>) => ({
  server_id,
  name: form.server_name,
  shown: form.visibility !== "hidden",
});

/** Lists the choices of the form. */
export async function listChoices({ db }: Pick<AppParts, "db">): Promise<GameServerChoices> {
  return {
    games: await listGameChoices(db),
    types: listPickerTypes(),
    limits: { ...GAME_SERVER_LIMITS, secret: LONGEST_SECRET },
  };
}
