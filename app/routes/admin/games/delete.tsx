// Deletes a game: names what is deleted with it, and asks for its name.
import { redirect } from "react-router";
import { countWhatHangsOn, removeGame } from "#domain/games/edits.ts";
import { removeGamePictures } from "#domain/media/media.ts";
import { appContext } from "#web/context.ts";
import { handleForm, permitted } from "#web/forms/handle-form.ts";
import { requirePermission } from "#web/guards.ts";
import { formatNumber, here } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";
import { requireId } from "../asked-id.ts";
import { ConfirmAct } from "../confirm-act.tsx";
import { readConfirm, refuseDeletion } from "../confirm-refusals.ts";
import type { Route } from "./+types/delete";
import { requireGame } from "./asked-game.ts";
import { GameTabs } from "./tabs.tsx";

/** Longest list of names; more are counted. */
const NAMED = 12;

export async function loader({ context, params, url }: Route.LoaderArgs) {
  requirePermission({ context, url }, "games:write");
  const { db } = context.get(appContext);
  const { game_id, form } = await requireGame(db, params.gameId);
  const { servers, samples } = await countWhatHangsOn(db, game_id);
  return { game: { game_id, form }, named: servers.slice(0, NAMED), servers: servers.length, samples };
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: permitted("games:write"),
    read: readConfirm,
    async act({ given, app: { db, storage, log }, actor }) {
      const outcome = await removeGame(db, actor, requireId(asked.params.gameId), given.confirm);
      if (!outcome.ok) return refuseDeletion(outcome.reason);
      await removeGamePictures(storage, outcome.pictures, (err) =>
        log.warn({ err }, "files of a deleted game stay in the store"),
      );
      return redirect(here("/admin/games?done=deleted"));
    },
  });
}

export default function GameDelete({ loaderData, actionData }: Route.ComponentProps) {
  const { game, named, servers, samples } = loaderData;
  return (
    <>
      <GameTabs game={game} />
      <ConfirmAct
        name={game.form.game_name}
        act={m.admin_game_delete()}
        back={`/admin/games/${game.game_id}/edit`}
        answer={actionData}
      >
        <p>{m.admin_game_delete_what({ game: game.form.game_name })}</p>
        {servers === 0 ? (
          <p>{m.admin_game_delete_no_servers()}</p>
        ) : (
          <>
            <p>{m.admin_game_delete_servers({ servers: formatNumber(servers), samples: formatNumber(samples) })}</p>
            <ul>
              {named.map(({ server_id, name }) => (
                <li key={server_id}>{name}</li>
              ))}
            </ul>
            {servers > named.length && <p>{m.admin_and_more({ count: formatNumber(servers - named.length) })}</p>}
          </>
        )}
        <p>{m.admin_no_way_back()}</p>
      </ConfirmAct>
    </>
  );
}
