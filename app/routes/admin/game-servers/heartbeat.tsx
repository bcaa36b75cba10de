// Manages the heartbeat token of a game machine: create, show once, renew, remove.
import { data, useNavigation, useSearchParams } from "react-router";
import { removeHeartbeatToken, renewHeartbeatToken } from "#domain/game-servers/edits.ts";
import { findCatalogueId } from "#domain/games/edits.ts";
import { appContext, siteContext } from "#web/context.ts";
import { done, handleForm, permitted } from "#web/forms/handle-form.ts";
import { requireFreshSession, requirePermission } from "#web/guards.ts";
import { isLoopbackName } from "#web/request/site-addresses.ts";
import { m } from "../../../paraglide/messages.js";
import { Alert } from "../../../ui/alert/alert.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { CopyBlock } from "../../../ui/copy-block/copy-block.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import { AnswerNotice } from "../../../ui/notice/answer-notice.tsx";
import { Notice } from "../../../ui/notice/notice.tsx";
import { requireId } from "../asked-id.ts";
import { ANY_GAME, presetLine, presetName, presetsFor } from "../games/examples.ts";
import type { Route } from "./+types/heartbeat";
import { headOf, requireGameServer } from "./asked-game-server.ts";
import css from "./heartbeat.module.css";
import { GameServerTabs } from "./tabs.tsx";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  requirePermission({ context, url }, "gameservers:write");
  const { db } = context.get(appContext);
  const { site_url } = context.get(siteContext).read();
  const found = await requireGameServer(db, params.serverId);
  const catalogue_id = await findCatalogueId(db, found.form.game_id);
  return {
    head: headOf(found),
    has_token: found.has_token,
    presets: presetsFor(catalogue_id),
    game_port: found.form.game_port,
    site_url,
    only_here: isLoopbackName(new URL(site_url).hostname),
  };
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: permitted("gameservers:write"),
    read: () => null,
    async act({ intent, app: { db }, actor }) {
      const serverId = requireId(asked.params.serverId);
      if (intent === "remove") {
        return done({ token: null, removed: await removeHeartbeatToken(db, actor, serverId) });
      }
      if (intent !== "renew") throw data(null, { status: 400 });
      // The token reports for the game server long after this session, so it needs re-authentication.
      requireFreshSession(asked);
      const token = await renewHeartbeatToken(db, actor, serverId);
      if (token === null) throw data(null, { status: 404 });
      return done({ token, removed: false });
    },
  });
}

export default function GameServerHeartbeat({
  loaderData: { head, has_token, presets, game_port, site_url, only_here },
  ...props
}: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  const navigation = useNavigation();
  const intent = navigation.state === "submitting" ? navigation.formData?.get("intent") : null;
  const token = actionData?.done?.token ?? null;
  const created = useSearchParams()[0].get("done") === "created";
  return (
    <>
      <GameServerTabs server={head} />
      <div className={css.heartbeat}>
        {!actionData && created && (
          <Notice tone="good" of="created">
            {m.admin_server_created()}
          </Notice>
        )}
        <p>{m.admin_heartbeat_note()}</p>
        {only_here && <Alert tone="plain">{m.admin_address_only_here({ url: site_url })}</Alert>}
        {actionData?.done?.removed && <AnswerNotice answer={actionData} done={m.admin_heartbeat_removed()} />}
        {token ? (
          <>
            <Alert tone="good">{m.admin_heartbeat_once()}</Alert>
            <CopyBlock label={m.admin_heartbeat_token()} text={token} />
          </>
        ) : (
          <p>{has_token ? m.admin_heartbeat_there() : m.admin_heartbeat_none()}</p>
        )}
        <details className={css.presets} open={presets.length === 1}>
          <summary>{m.admin_heartbeat_presets()}</summary>
          <p>{m.admin_heartbeat_presets_note()}</p>
          {presets.map((preset) => (
            <CopyBlock
              key={preset}
              label={presetName(preset) ?? m.admin_heartbeat_any()}
              text={presetLine(site_url, preset, { id: head.server_id, gamePort: game_port, token })}
            />
          ))}
          {presets.includes(ANY_GAME) && <p>{m.admin_heartbeat_any_note()}</p>}
        </details>
        <Form failed={m.failed_token()} className={css.acts}>
          <Button
            type="submit"
            name="intent"
            value="renew"
            variant={has_token ? "outlined" : "default"}
            loading={intent === "renew"}
          >
            {has_token ? m.admin_heartbeat_renew() : m.admin_heartbeat_make()}
          </Button>
          {has_token && (
            <Button type="submit" name="intent" value="remove" variant="outlined" loading={intent === "remove"}>
              {m.admin_heartbeat_remove()}
            </Button>
          )}
        </Form>
      </div>
    </>
  );
}
