// Deleting a game: what hangs on it is named first, and its name has to be typed.
import { data, redirect } from "react-router";
import { countWhatHangsOn, removeGame } from "#domain/games/edits.ts";
import { removeBannerFiles } from "#domain/media/media.ts";
import { appContext, visitContext } from "#web/context.ts";
import { requirePermission } from "#web/guards.ts";
import { readForm } from "#web/request/read-form.ts";
import { formatNumber, here } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";
import { ConfirmAct, refuseDeletion } from "../confirm-act.tsx";
import type { Route } from "./+types/delete";
import { readId, requireGame } from "./asked-game.ts";
import { GameTabs } from "./tabs.tsx";

/** More names than this are counted, not listed. */
const NAMED = 12;

export async function loader({ context, request, params }: Route.LoaderArgs) {
  requirePermission({ context, request }, "games:write");
  const { db } = context.get(appContext);
  const { game_id, form } = await requireGame(db, params.gameId);
  const { servers, samples } = await countWhatHangsOn(db, game_id);
  return { game: { game_id, form }, named: servers.slice(0, NAMED), servers: servers.length, samples };
}

export async function action({ context, request, params }: Route.ActionArgs) {
  const member = requirePermission({ context, request }, "games:write");
  const { db, storage, log } = context.get(appContext);
  const typed = String((await readForm(request)).get("confirm") ?? "").slice(0, 200);
  const gameId = readId(params.gameId);
  if (gameId === null) throw data(null, { status: 404 });
  const actor = { user_id: member.user_id, origin: context.get(visitContext) };
  const outcome = await removeGame(db, actor, gameId, typed);
  if (!outcome.ok) {
    return refuseDeletion(typed, outcome.reason);
  }
  if (outcome.banner) {
    await removeBannerFiles(storage, outcome.banner, (err) =>
      log.warn({ err }, "files of a deleted game stay in the store"),
    );
  }
  return redirect(here("/admin/games?done=deleted"));
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
