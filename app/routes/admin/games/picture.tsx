// The picture of a game: an uploaded one takes the place of the one that the site ships with.
import { data, useNavigation } from "react-router";
import { findGameToEdit } from "#domain/games/edits.ts";
import { setBanner } from "#domain/media/media.ts";
import { appContext, visitContext } from "#web/context.ts";
import { requirePermission } from "#web/guards.ts";
import { readFileForm } from "#web/request/file-form.ts";
import { ofAccount } from "#web/request/rate-limits.ts";
import { gamePicture } from "../../../game-picture.ts";
import { m } from "../../../paraglide/messages.js";
import { Button } from "../../../ui/button/button.tsx";
import { FileField } from "../../../ui/file-field/file-field.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import { Notice } from "../../../ui/notice/notice.tsx";
import { PictureFrame } from "../../../ui/picture/picture-frame.tsx";
import { PICTURES_PER_ADMIN, type PictureRefusal, refusePicture, uploadedBytes } from "../picture-upload.ts";
import type { Route } from "./+types/picture";
import { readId, requireGame } from "./asked-game.ts";
import css from "./picture.module.css";
import { GameTabs } from "./tabs.tsx";

export async function loader({ context, request, params }: Route.LoaderArgs) {
  requirePermission({ context, request }, "games:write");
  const { game_id, form, banner, picture } = await requireGame(context.get(appContext).db, params.gameId);
  return {
    game: { game_id, form },
    own: banner !== null,
    files: gamePicture({ banner, picture, game_slug: form.game_slug }),
  };
}

export async function action({ context, request, params }: Route.ActionArgs) {
  const member = requirePermission({ context, request }, "games:write");
  const app = context.get(appContext);
  const gameId = readId(params.gameId);
  if (gameId === null || !(await findGameToEdit(app.db, gameId))) throw data(null, { status: 404 });
  const refuse = (reason: PictureRefusal, wait_s?: number) => {
    const { problem, init } = refusePicture(reason, wait_s);
    return data({ problem }, init);
  };
  const form = await readFileForm(app, member, request);
  if (typeof form === "string") return refuse(form);
  const actor = { user_id: member.user_id, origin: context.get(visitContext) };
  const wait = await app.limits.charge([ofAccount("banner", member.user_id, PICTURES_PER_ADMIN)]);
  if (wait !== null) return refuse("limit", wait);
  const outcome = await setBanner(app, actor, gameId, await uploadedBytes(form), (error) =>
    app.log.error({ err: error }, "the store of pictures failed; the old picture stays"),
  );
  if (outcome.ok) return data({ problem: null });
  return outcome.reason === "gone" ? data({ problem: m.admin_game_gone() }, { status: 410 }) : refuse(outcome.reason);
}

export const headers = ({ actionHeaders, loaderHeaders }: Route.HeadersArgs) => actionHeaders ?? loaderHeaders;

export default function GamePicture({ loaderData: { game, own, files }, ...props }: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  const navigation = useNavigation();
  const intent = navigation.state === "submitting" ? (navigation.formData?.get("intent") ?? "upload") : null;
  return (
    <>
      <GameTabs game={game} />
      <div className={css.picture}>
        {actionData && (
          <Notice tone={actionData.problem ? "error" : "good"} of={actionData}>
            {actionData.problem ? `${m.admin_game_update_failed()} ${actionData.problem}` : m.admin_game_updated()}
          </Notice>
        )}
        <div className={css.frame} key={files?.fallback}>
          <PictureFrame
            files={files}
            alt={m.admin_picture_now({ game: game.form.game_name })}
            sizes="(width < 50rem) 92vw, 690px"
            priority
          />
        </div>
        <Form failed={m.admin_game_update_failed()} encType="multipart/form-data" className={css.form}>
          <FileField name="picture" label={m.admin_picture_choose()} hint={m.admin_picture_hint()} />
          <Button type="submit" loading={intent === "upload"}>
            {m.admin_picture_upload()}
          </Button>
        </Form>
        {own && (
          <Form failed={m.admin_game_update_failed()} encType="multipart/form-data">
            <input type="hidden" name="intent" value="remove" />
            <Button type="submit" variant="outlined" size="s" loading={intent === "remove"}>
              {m.admin_picture_remove()}
            </Button>
          </Form>
        )}
      </div>
    </>
  );
}
