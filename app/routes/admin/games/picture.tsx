// The picture of a game: an uploaded one takes the place of the one that the site ships with.
import { useNavigation } from "react-router";
import { shippedPictureOf } from "#content/pictures/shipped.ts";
import { setBanner } from "#domain/media/media.ts";
import { askForAnotherScene } from "#domain/media/scenes.ts";
import { appContext } from "#web/context.ts";
import { done, handleForm, permitted } from "#web/forms/handle-form.ts";
import { requirePermission } from "#web/guards.ts";
import type { RouteFacts } from "#web/pages/route-facts.ts";
import { gamePicture } from "../../../game-picture.ts";
import { m } from "../../../paraglide/messages.js";
import { Button } from "../../../ui/button/button.tsx";
import { FileField } from "../../../ui/file-field/file-field.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import { AnswerNotice } from "../../../ui/notice/answer-notice.tsx";
import { PictureFrame } from "../../../ui/picture/picture-frame.tsx";
import { requireId } from "../asked-id.ts";
import { receivePicture, refusePicture, uploadedBytes } from "../picture-upload.ts";
import type { Route } from "./+types/picture";
import { requireGame } from "./asked-game.ts";
import css from "./picture.module.css";
import { GameTabs } from "./tabs.tsx";

export const handle: RouteFacts = { takesFiles: true };

export async function loader({ context, request, params }: Route.LoaderArgs) {
  requirePermission({ context, request }, "games:write");
  const found = await requireGame(context.get(appContext).db, params.gameId);
  const { game_id, form, banner } = found;
  const { game_name, game_slug } = form;
  return {
    game: { game_id, form },
    own: banner !== null,
    drawn: shippedPictureOf({ picture: found.picture, game_slug }) === null,
    drawing: found.scene_is_due,
    files: gamePicture({ ...found, game_name, game_slug }),
  };
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: permitted("games:write"),
    async receive(who) {
      await requireGame(asked.context.get(appContext).db, asked.params.gameId);
      return receivePicture(asked, "banner")(who);
    },
    read: () => null,
    async act({ form, app, actor }) {
      const gameId = requireId(asked.params.gameId);
      if (form.get("intent") === "another") {
        if (!(await askForAnotherScene(app.db, actor, gameId))) return refusePicture("gone");
        return done(true);
      }
      const outcome = await setBanner(app, actor, gameId, await uploadedBytes(form), (error) =>
        app.log.error({ err: error }, "the store of pictures failed; the old picture stays"),
      );
      return outcome.ok ? done(true) : refusePicture(outcome.reason);
    },
  });
}

export const headers = ({ actionHeaders, loaderHeaders }: Route.HeadersArgs) => actionHeaders ?? loaderHeaders;

export default function GamePicture({
  loaderData: { game, own, drawn, drawing, files },
  ...props
}: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  const navigation = useNavigation();
  const intent = navigation.state === "submitting" ? (navigation.formData?.get("intent") ?? "upload") : null;
  return (
    <>
      <GameTabs game={game} />
      <div className={css.picture}>
        <AnswerNotice answer={actionData} failed={m.admin_game_update_failed()} done={m.admin_game_updated()} />
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
        {drawn && !own && (
          <Form failed={m.admin_game_update_failed()} encType="multipart/form-data" className={css.form}>
            <input type="hidden" name="intent" value="another" />
            <p role="status">{drawing ? m.admin_picture_drawing() : m.admin_picture_scene()}</p>
            <Button type="submit" variant="outlined" size="s" loading={intent === "another"}>
              {m.admin_picture_draw_another()}
            </Button>
          </Form>
        )}
        {own && (
          <Form failed={m.admin_game_update_failed()} encType="multipart/form-data">
            <input type="hidden" name="intent" value="remove" />
            <Button type="submit" variant="outlined" size="s" loading={intent === "remove"}>
              {drawn ? m.admin_picture_remove_to_scene() : m.admin_picture_remove()}
            </Button>
          </Form>
        )}
      </div>
    </>
  );
}
