// Sets a game's picture: an upload, or one of the library.
import { useState } from "react";
import { useNavigation } from "react-router";
import { LANDSCAPES, landscapeOf } from "#content/landscapes/landscapes.ts";
import { choosePicture, paintingFor, setBanner } from "#domain/media/media.ts";
import { appContext } from "#web/context.ts";
import { done, handleForm, permitted } from "#web/forms/handle-form.ts";
import { requirePermission } from "#web/guards.ts";
import type { RouteFacts } from "#web/pages/route-facts.ts";
import { gamePicture, landscapePicture } from "../../../game-picture.ts";
import { m } from "../../../paraglide/messages.js";
import { findPicture } from "../../../pictures.ts";
import { Button } from "../../../ui/button/button.tsx";
import { FileField } from "../../../ui/file-field/file-field.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import { FormActs } from "../../../ui/form-sheet/form-acts.tsx";
import { AnswerNotice } from "../../../ui/notice/answer-notice.tsx";
import { type PictureFiles, PictureFrame } from "../../../ui/picture/picture-frame.tsx";
import { requireId } from "../asked-id.ts";
import { receivePicture, refusePicture, uploadedBytes } from "../picture-upload.ts";
import type { Route } from "./+types/picture";
import { requireGame } from "./asked-game.ts";
import css from "./picture.module.css";
import { GameTabs } from "./tabs.tsx";

export const handle: RouteFacts = { takesFiles: true };

export async function loader({ context, params, url }: Route.LoaderArgs) {
  requirePermission({ context, url }, "games:write");
  const found = await requireGame(context.get(appContext).db, params.gameId);
  const { game_id, form, banner, picture, catalogue_id } = found;
  const game = { game_name: form.game_name, game_slug: form.game_slug, picture, banner };
  const painting = paintingFor({ catalogue_id, game_slug: form.game_slug });
  const library: { name: string; files: PictureFiles | null }[] = [
    ...(painting ? [{ name: painting, files: findPicture(painting) }] : []),
    ...LANDSCAPES.map((landscape) => ({ name: landscape.name, files: landscapePicture(landscape, [345]) })),
  ];
  return {
    game: { game_id, form },
    files: gamePicture(game),
    painting,
    library,
    chosen: banner ? null : (landscapeOf(game)?.name ?? painting),
    own: banner?.id ?? null,
  };
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: permitted("games:write"),
    async receive(who) {
      await requireGame(asked.context.get(appContext).db, asked.params.gameId);
      return receivePicture(asked, "banner")(who);
    },
    read: (form) => (form.get("intent") === "choose" ? ("choose" as const) : ("upload" as const)),
    async act({ given, form, app, actor }) {
      const gameId = requireId(asked.params.gameId);
      const said = (error: unknown) =>
        app.log.error({ err: error }, "the store of pictures failed; the old picture stays");
      const outcome =
        given === "choose"
          ? await choosePicture(app, actor, gameId, String(form.get("chosen")), said)
          : await setBanner(app, actor, gameId, await uploadedBytes(form), said);
      return outcome.ok ? done(true) : refusePicture(outcome.reason);
    },
  });
}

export const headers = ({ actionHeaders, loaderHeaders }: Route.HeadersArgs) => actionHeaders ?? loaderHeaders;

export default function GamePicture({
  loaderData: { game, files, painting, library, chosen, own },
  ...props
}: Route.ComponentProps) {
  const answer = useAnswer(props.actionData);
  const navigation = useNavigation();
  const intent = navigation.state === "submitting" ? (navigation.formData?.get("intent") ?? "upload") : null;
  // Recreates the form only when an upload replaces the choice: Save keeps the focus.
  const [newest, setNewest] = useState(own);
  if (own !== null && own !== newest) setNewest(own);
  const of = (intent: "choose" | "upload") => (answer?.given === intent ? answer : null);
  return (
    <>
      <GameTabs game={game} />
      <div className={css.page}>
        <div className={css.own}>
          <div className={css.frame} key={files?.fallback}>
            <PictureFrame
              files={files}
              alt={m.admin_picture_now({ game: game.form.game_name })}
              sizes="(width < 62rem) 92vw, 24rem"
              priority
            />
          </div>
          <AnswerNotice answer={of("upload")} failed={m.admin_game_update_failed()} done={m.admin_game_updated()} />
          <Form failed={m.admin_game_update_failed()} encType="multipart/form-data" className={css.upload}>
            <FileField name="picture" label={m.admin_picture_choose()} hint={m.admin_picture_hint()} />
            <Button type="submit" variant="outlined" loading={intent === "upload"}>
              {m.admin_picture_upload()}
            </Button>
          </Form>
        </div>
        <Form failed={m.admin_game_update_failed()} key={newest}>
          <input type="hidden" name="intent" value="choose" />
          <fieldset className={css.choices}>
            <legend>{m.admin_picture_library()}</legend>
            {chosen === null && <p className={css.note}>{m.admin_picture_library_note()}</p>}
            <div className={css.grid}>
              {library.map(({ name, files: thumb }) => (
                <label key={name} className={css.choice}>
                  <span className={css.thumb}>
                    <PictureFrame files={thumb} alt="" sizes="9rem" />
                  </span>
                  <span className={css.name}>
                    <input type="radio" name="chosen" value={name} defaultChecked={name === chosen} />
                    {name === painting ? m.admin_picture_painting() : m.landscape({ name })}
                  </span>
                </label>
              ))}
            </div>
          </fieldset>
          <AnswerNotice answer={of("choose")} failed={m.admin_game_update_failed()} />
          <FormActs saved={of("choose")?.done && answer}>
            <Button type="submit" loading={intent === "choose"}>
              {m.admin_save()}
            </Button>
          </FormActs>
        </Form>
      </div>
    </>
  );
}
