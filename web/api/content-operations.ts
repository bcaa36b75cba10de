// Implements an admin's other operations: guides, pictures, orders, heartbeat tokens, and the picture library.
import { z } from "zod";
import {
  listGameServerOrder,
  orderGameServers,
  removeHeartbeatToken,
  renewHeartbeatToken,
} from "#domain/game-servers/edits.ts";
import { findGameToEdit, listGameOrder, orderGames, updateGuide } from "#domain/games/edits.ts";
import { guideShape } from "#domain/games/guide.ts";
import { setBanner } from "#domain/media/media.ts";
import { findMedia, type Media, removeMedia } from "#domain/media/media-list.ts";
import { PICTURE_PLACES } from "#domain/media/site-pictures.ts";
import { FILE_FORM_STATUS, readFileBytes } from "../forms/file-form.ts";
import { ofAccount } from "../request/rate-limits.ts";
import { fileIn } from "./account-operations.ts";
import type { Asked, Operation, Reply } from "./operation.ts";
import { type ProblemStatus, problem, tooOften } from "./problem.ts";
import {
  actorOf,
  changed,
  REPLACE,
  readRevision,
  recordId,
  recordPage,
  recordReply,
  unlessStoreFails,
} from "./records.ts";
import { pageOf } from "./schemas.ts";

const guideRecord = z.object({ game_id: z.int().min(1), revision: z.string(), guide: guideShape });
const order = z.object({ ids: z.array(z.int().min(1)).max(10_000) });
const token = z.object({ token: z.string().meta({ description: "Told this once." }) });
const picture = z.object({ game_id: z.int().min(1), banner: z.string().nullable() });
const media = z.object({
  media_id: z.string(),
  names: z.array(z.string()),
  size: z.int().min(0).meta({ description: "Of all its files, in bytes." }),
  changed_at: z.iso.datetime(),
  used_by: z.array(
    z.union([
      z.object({ type: z.literal("game"), game_id: z.int().min(1), name: z.string() }),
      z.object({ type: z.literal("site"), place: z.enum(PICTURE_PLACES) }),
    ]),
  ),
  removable: z.boolean(),
});
const mediaPage = pageOf(media);

export const CONTENT_SHAPES = {
  Guide: guideShape,
  GuideRecord: guideRecord,
  Order: order,
  HeartbeatToken: token,
  GamePicture: picture,
  Media: media,
  MediaPage: mediaPage,
};

const TAG = "Records: content";
const NO_GAME = "There is no such game.";
const PER_ADMIN = { tries: 60, seconds: 3600 };
const MEDIA_PER_PAGE = 50;
const game = z.object({ game_id: recordId });
const server = z.object({ server_id: recordId });

async function guideReply({ app, params }: Asked): Promise<Reply> {
  const found = await findGameToEdit(app.db, Number(params.game_id));
  if (!found) return problem(404, NO_GAME);
  return recordReply({ game_id: found.game_id, revision: found.revision, guide: found.guide });
}

async function changeGuide(asked: Asked): Promise<Reply> {
  const given = readRevision(asked.headers);
  if ("refusal" in given) return given.refusal;
  const id = Number(asked.params.game_id);
  const saved = await updateGuide(asked.app.db, actorOf(asked), id, given.revision, guideShape.parse(asked.body));
  if (!saved.ok) return saved.reason === "gone" ? problem(404, NO_GAME) : changed();
  return guideReply(asked);
}

async function changePicture(asked: Asked, bytes: Buffer | null): Promise<Reply> {
  const { db, storage, log } = asked.app;
  const id = Number(asked.params.game_id);
  const outcome = await setBanner({ db, storage }, actorOf(asked), id, bytes, (error) =>
    log.error({ err: error }, "the store of pictures failed; the old picture stays"),
  );
  if (!outcome.ok && outcome.reason === "gone") return problem(404, NO_GAME);
  if (!outcome.ok && (outcome.reason === "storage" || outcome.reason === "busy"))
    return problem(503, "Pictures cannot be kept at the moment.", { headers: { "Retry-After": "60" } });
  if (!outcome.ok)
    return problem(outcome.reason === "too-heavy" ? 413 : 422, "This is no picture that a game can have.", {
      code: outcome.reason,
    });
  const found = await findGameToEdit(db, id);
  return found ? { json: { game_id: id, banner: found.banner?.id ?? null } } : problem(404, NO_GAME);
}

async function putPicture(asked: Asked): Promise<Reply> {
  const { app, request } = asked;
  const sender = { user_id: actorOf(asked).user_id, role: "admin" as const };
  const bytes = await readFileBytes(app, sender, request);
  if (typeof bytes === "string")
    return problem(FILE_FORM_STATUS[bytes] as ProblemStatus, "The picture could not be taken.", { code: bytes });
  const wait = await app.limits.consume([ofAccount("game-picture", sender.user_id, PER_ADMIN)]);
  if (wait !== null) return tooOften(wait);
  const file = await fileIn(bytes, request.headers.get("Content-Type") ?? "");
  return changePicture(asked, Buffer.from(file ? await file.arrayBuffer() : new ArrayBuffer()));
}

const orderReply = (outcome: { ok: boolean }): Reply =>
  outcome.ok ? { status: 204 } : problem(409, "These are not all that there are now. Read the order again.");

const showMedia = ({ media_id, files, size, changed_at, used_by, removable }: Media): z.infer<typeof media> => ({
  media_id,
  names: files.map(({ key }) => key),
  size,
  changed_at: changed_at.toISOString(),
  used_by,
  removable,
});

export const CONTENT_OPERATIONS: Operation[] = [
  {
    id: "readGuide",
    method: "get",
    path: "/admin/games/{game_id}/guide",
    tag: TAG,
    access: "admin:read",
    member: "games:write",
    summary: "The guide of a game",
    params: game,
    gives: { status: 200, shape: guideRecord, about: "The guide.", headers: ["ETag"] },
    reply: guideReply,
  },
  {
    id: "updateGuide",
    method: "put",
    path: "/admin/games/{game_id}/guide",
    tag: TAG,
    access: "games:write",
    summary: "Change the guide of a game",
    about: REPLACE,
    params: game,
    body: guideShape,
    gives: { status: 200, shape: guideRecord, about: "The guide as it stands now.", headers: ["ETag"] },
    refuses: { 412: "Somebody else has changed it since.", 428: "If-Match is missing." },
    reply: changeGuide,
  },
  {
    id: "updatePicture",
    method: "put",
    path: "/admin/games/{game_id}/picture",
    tag: TAG,
    access: "games:write",
    summary: "Give a game a picture of its own",
    about: "At least 345 pixels wide; cropped to 16 by 10, and kept in the widths that pages use.",
    params: game,
    file: { about: "The picture, or a form with it." },
    gives: { status: 200, shape: picture, about: "The picture's id." },
    refuses: { 413: "It is too heavy.", 422: "It is no picture, or too small." },
    reply: putPicture,
  },
  {
    id: "removePicture",
    method: "delete",
    path: "/admin/games/{game_id}/picture",
    tag: TAG,
    access: "games:write",
    summary: "Take the picture of a game away",
    params: game,
    gives: { status: 200, shape: picture, about: "There is none any more." },
    reply: (asked) => changePicture(asked, null),
  },
  {
    id: "readGameOrder",
    method: "get",
    path: "/admin/order/games",
    tag: TAG,
    access: "admin:read",
    member: "games:write",
    summary: "The games in the order of the home page",
    gives: { status: 200, shape: order, about: "Their ids." },
    reply: async ({ app }) => ({ json: { ids: (await listGameOrder(app.db)).map(({ id }) => id) } }),
  },
  {
    id: "updateGameOrder",
    method: "put",
    path: "/admin/order/games",
    tag: TAG,
    access: "games:write",
    summary: "Put the games in another order",
    body: order,
    gives: { status: 204, about: "They are in this order." },
    refuses: { 409: "These are not all games that there are." },
    reply: async (asked) => orderReply(await orderGames(asked.app.db, actorOf(asked), order.parse(asked.body).ids)),
  },
  {
    id: "readServerOrder",
    method: "get",
    path: "/admin/games/{game_id}/order",
    tag: TAG,
    access: "admin:read",
    member: "gameservers:write",
    summary: "The game servers of a game in the order of its page",
    params: game,
    gives: { status: 200, shape: order, about: "Their ids." },
    reply: async ({ app, params: { game_id } }) => {
      if (!(await findGameToEdit(app.db, Number(game_id)))) return problem(404, NO_GAME);
      return { json: { ids: (await listGameServerOrder(app.db, Number(game_id))).map(({ id }) => id) } };
    },
  },
  {
    id: "updateServerOrder",
    method: "put",
    path: "/admin/games/{game_id}/order",
    tag: TAG,
    access: "gameservers:write",
    summary: "Put the game servers of a game in another order",
    params: game,
    body: order,
    gives: { status: 204, about: "They are in this order." },
    refuses: { 409: "These are not all its game servers." },
    reply: async (asked) => {
      const id = Number(asked.params.game_id);
      if (!(await findGameToEdit(asked.app.db, id))) return problem(404, NO_GAME);
      return orderReply(await orderGameServers(asked.app.db, actorOf(asked), id, order.parse(asked.body).ids));
    },
  },
  {
    id: "renewHeartbeatToken",
    method: "post",
    path: "/admin/servers/{server_id}/heartbeat-token",
    tag: TAG,
    access: "gameservers:write",
    summary: "Make the token by which a game machine reports itself",
    about:
      "The one before it is worth nothing from then on. By an access token only within 15 minutes of its session's beginning.",
    fresh: true,
    params: server,
    gives: { status: 201, shape: token, about: "The token." },
    reply: async (asked) => {
      const made = await renewHeartbeatToken(asked.app.db, actorOf(asked), Number(asked.params.server_id));
      return made === null ? problem(404, "There is no such game server.") : { status: 201, json: { token: made } };
    },
  },
  {
    id: "removeHeartbeatToken",
    method: "delete",
    path: "/admin/servers/{server_id}/heartbeat-token",
    tag: TAG,
    access: "gameservers:write",
    summary: "Take that token away",
    params: server,
    gives: { status: 204, about: "There is none any more." },
    reply: async (asked) => {
      const gone = await removeHeartbeatToken(asked.app.db, actorOf(asked), Number(asked.params.server_id));
      return gone ? { status: 204 } : problem(404, "There is no such token.");
    },
  },
  {
    id: "listMedia",
    method: "get",
    path: "/admin/media",
    tag: TAG,
    access: "admin:read",
    summary: "Every uploaded picture, and what shows it",
    query: recordPage,
    gives: { status: 200, shape: mediaPage, about: "One page of the pictures, the newest first." },
    reply: (asked) =>
      unlessStoreFails(asked, async () => {
        const all = await findMedia(asked.app);
        const pages = Math.max(1, Math.ceil(all.length / MEDIA_PER_PAGE));
        const page = Math.min(Number(asked.query.page), pages);
        const data = all.slice((page - 1) * MEDIA_PER_PAGE, page * MEDIA_PER_PAGE).map(showMedia);
        return { json: { data, page, pages, total: all.length } };
      }),
  },
  {
    id: "deleteMedia",
    method: "delete",
    path: "/admin/media/{media_id}",
    tag: TAG,
    access: "games:write",
    summary: "Take a picture away that nothing shows",
    params: z.object({ media_id: z.string().regex(/^[0-9a-f]{32}$/) }),
    gives: { status: 204, about: "It is gone." },
    refuses: { 409: "Something shows it, or it was uploaded within the hour." },
    reply: (asked) =>
      unlessStoreFails(asked, async () => {
        const outcome = await removeMedia(asked.app, actorOf(asked), String(asked.params.media_id));
        if (outcome.ok) return { status: 204 };
        return outcome.reason === "gone"
          ? problem(404, "There is no such picture.")
          : problem(409, "Something shows this picture, or it was uploaded within the hour.");
      }),
  },
];
