// The picture of a game: an uploaded one takes the place of the one that the site ships with.
import { data, Form, useNavigation } from "react-router";
import { findGameToEdit } from "#domain/game-edits.ts";
import { type BannerRefusal, setBanner } from "#domain/media.ts";
import { readFileForm } from "#web/avatar-actions.ts";
import { appContext, visitContext } from "#web/context.ts";
import { requirePermission } from "#web/guards.ts";
import { ofAccount } from "#web/rate-limits.ts";
import { gamePicture } from "../../game-picture.ts";
import { m } from "../../paraglide/messages.js";
import { Button } from "../../ui/button/button.tsx";
import { FileField } from "../../ui/file-field/file-field.tsx";
import { Notice } from "../../ui/notice/notice.tsx";
import { PictureFrame } from "../../ui/picture/picture-frame.tsx";
import type { Route } from "./+types/game-picture";
import { readId, requireGame } from "./asked-game.ts";
import css from "./game-picture.module.css";
import { GameTabs } from "./game-tabs.tsx";
import { useAnswer } from "./use-answer.ts";

const PER_ADMIN = { tries: 60, seconds: 3600 };

const WORDS: Record<BannerRefusal | "limit", () => string> = {
  empty: m.admin_picture_empty,
  "too-heavy": m.admin_picture_too_heavy,
  "no-image": m.admin_picture_no_image,
  "too-many-pixels": m.admin_picture_too_many_pixels,
  "too-small": m.admin_picture_too_small,
  moving: m.admin_picture_moving,
  polyglot: m.admin_picture_polyglot,
  broken: m.admin_picture_broken,
  "too-slow": m.admin_picture_busy,
  busy: m.admin_picture_busy,
  limit: m.admin_picture_busy,
  storage: m.admin_picture_storage,
  gone: m.admin_game_gone,
};

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
  const refuse = (reason: BannerRefusal | "limit") => {
    const status = { "too-heavy": 413, storage: 503, busy: 503, limit: 429, gone: 410 }[reason as string] ?? 422;
    return data(
      { problem: WORDS[reason]() },
      { status, ...(status >= 429 ? { headers: { "Retry-After": "60" } } : {}) },
    );
  };
  const form = await readFileForm(request);
  if (form === "too-heavy" || form === "broken") return refuse(form);
  const actor = { user_id: member.user_id, origin: context.get(visitContext) };
  const wait = await app.limits.charge([ofAccount("banner", member.user_id, PER_ADMIN)]);
  if (wait !== null) return refuse("limit");
  const file = form.get("picture");
  const bytes =
    form.get("intent") === "remove"
      ? null
      : Buffer.from(file instanceof File ? await file.arrayBuffer() : new ArrayBuffer());
  const outcome = await setBanner(app, actor, gameId, bytes, (error) =>
    app.log.error({ err: error }, "the store of pictures failed; the old picture stays"),
  );
  return outcome.ok ? data({ problem: null }) : refuse(outcome.reason);
}

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
        <Form method="post" encType="multipart/form-data" className={css.form}>
          <FileField name="picture" label={m.admin_picture_choose()} hint={m.admin_picture_hint()} />
          <Button type="submit" loading={intent === "upload"}>
            {m.admin_picture_upload()}
          </Button>
        </Form>
        {own && (
          <Form method="post" encType="multipart/form-data">
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
