// Reads and writes games for an admin's programs, with the acts, shapes and audit rows of the admin area.
import { z } from "zod";
import type { Db } from "#db/client.ts";
import { takeCatalogueGames } from "#domain/games/catalogue.ts";
import { createGame, findGameToEdit, removeGame, updateGame } from "#domain/games/edits.ts";
import { gameFields, gameRow, newGameFields } from "#domain/games/fields.ts";
import { listGames } from "#domain/games/games.ts";
import { removeGamePictures } from "#domain/media/media.ts";
import { fieldError } from "#shared/field-error-codes.ts";
import { fieldProblem } from "./field-errors.ts";
import type { Asked, Operation } from "./operation.ts";
import { problem } from "./problem.ts";
import { actorOf, changed, REPLACE, readRevision, recordId, recordPage, recordReply } from "./records.ts";
import { pageOf } from "./schemas.ts";

const record = z.object({ game_id: z.int().min(1), revision: z.string(), record: gameFields });
const list = pageOf(gameRow);

/** With a name, or from the catalogue. */
const newGame = z
  .strictObject({
    game_name: newGameFields.shape.game_name.optional(),
    game_acronym: newGameFields.shape.game_acronym.optional(),
    catalogue_id: z
      .string()
      .max(60)
      .optional()
      .meta({ description: "A game of the catalogue, which brings its own names, guide and join link." }),
  })
  .superRefine(({ catalogue_id, ...names }, context) => {
    if (catalogue_id !== undefined) return;
    for (const path of ["game_name", "game_acronym"] as const)
      if (names[path] === undefined) context.addIssue({ code: "custom", path: [path], message: fieldError("missing") });
  });

export const GAME_RECORD_SHAPES = {
  GameForm: gameFields,
  NewGame: newGame,
  GameRecord: record,
  GameRow: gameRow,
  GameRowPage: list,
};

const TAG = "Records: games";
const params = z.object({ game_id: recordId });
const NONE = "There is no such game.";

const nameTaken = (by: { game_name: string; game_slug: string }) =>
  problem(422, `There is a game of this name already: ${by.game_name}, at /games/${by.game_slug}.`, {
    errors: [fieldProblem("game_name", "name_taken")],
  });

const catalogueFault = (text: string, code: "no_choice" | "taken") =>
  problem(422, text, { errors: [fieldProblem("catalogue_id", code)] });
const NOT_TAKEN = {
  unknown: () => catalogueFault("The catalogue has no such game.", "no_choice"),
  there: () => catalogueFault("The site has this game of the catalogue already.", "taken"),
};

async function takeGame(asked: Asked, id: string) {
  const { taken, refused } = await takeCatalogueGames(asked.app.db, actorOf(asked), [id]);
  const [game] = taken;
  if (game?.is_new) return { ok: true, game_id: game.game_id } as const;
  const [why] = refused;
  return why?.reason === "name_taken"
    ? ({ ok: false, reason: "name_taken", by: why.by } as const)
    : ({ ok: false, reason: why ? "unknown" : "there" } as const);
}

async function findRecord(db: Db, gameId: number) {
  const found = await findGameToEdit(db, gameId);
  return found && { game_id: found.game_id, revision: found.revision, record: found.form };
}

export const GAME_RECORDS: Operation[] = [
  {
    id: "listGameRecords",
    method: "get",
    path: "/admin/games",
    tag: TAG,
    access: "admin:read",
    summary: "All games, unpublished ones too",
    query: recordPage,
    gives: { status: 200, shape: list, about: "One page of the games." },
    reply: async ({ app, query }) => {
      const asked = { q: "", sort: "game_id", descending: false, page: Number(query.page) } as const;
      const { rows, page, pages, total } = await listGames(app.db, asked);
      return { json: { data: rows, page, pages, total } };
    },
  },
  {
    id: "createGame",
    method: "post",
    path: "/admin/games",
    tag: TAG,
    access: "games:write",
    summary: "Make a game",
    about:
      "Published, last in the order, at an address that its name suggests. Everything else is said by a change. One of the catalogue (`catalogue_id`) is refused where the site has it already.",
    body: newGame,
    gives: { status: 201, shape: record, about: "The new game.", headers: ["Location", "ETag"] },
    reply: async (asked) => {
      const { catalogue_id, ...names } = newGame.parse(asked.body);
      const made =
        catalogue_id === undefined
          ? await createGame(asked.app.db, actorOf(asked), newGameFields.parse(names))
          : await takeGame(asked, catalogue_id);
      if (!made.ok && made.reason === "name_taken") return nameTaken(made.by);
      if (!made.ok) return NOT_TAKEN[made.reason]();
      const found = await findRecord(asked.app.db, made.game_id);
      if (!found) return problem(404, NONE);
      return recordReply(found, 201, { Location: `${asked.site.site_url}/api/v1/admin/games/${made.game_id}` });
    },
  },
  {
    id: "readGameRecord",
    method: "get",
    path: "/admin/games/{game_id}",
    tag: TAG,
    access: "admin:read",
    member: "games:write",
    summary: "A game as it is edited",
    params,
    gives: { status: 200, shape: record, about: "The game.", headers: ["ETag"] },
    reply: async ({ app, params: { game_id } }) => {
      const found = await findRecord(app.db, Number(game_id));
      return found ? recordReply(found) : problem(404, NONE);
    },
  },
  {
    id: "updateGame",
    method: "put",
    path: "/admin/games/{game_id}",
    tag: TAG,
    access: "games:write",
    summary: "Change a game",
    about: REPLACE,
    params,
    body: gameFields,
    gives: { status: 200, shape: record, about: "The game as it stands now.", headers: ["ETag"] },
    refuses: { 412: "Somebody else has changed it since.", 428: "If-Match is missing." },
    reply: async (asked) => {
      const given = readRevision(asked.headers);
      if ("refusal" in given) return given.refusal;
      const { db } = asked.app;
      const id = Number(asked.params.game_id);
      const saved = await updateGame(db, actorOf(asked), id, given.revision, gameFields.parse(asked.body));
      if (!saved.ok && saved.reason === "gone") return problem(404, NONE);
      if (!saved.ok && saved.reason === "name_taken") return nameTaken(saved.by);
      if (!saved.ok && saved.reason === "taken")
        return problem(422, "The address is taken.", { errors: [fieldProblem("game_slug", "taken")] });
      if (!saved.ok) return changed();
      const found = await findRecord(db, id);
      return found ? recordReply(found) : problem(404, NONE);
    },
  },
  {
    id: "deleteGame",
    method: "delete",
    path: "/admin/games/{game_id}",
    tag: TAG,
    access: "games:write",
    summary: "Delete a game with its game servers and their history",
    params,
    query: z.strictObject({ confirm: z.string().min(1).max(200).meta({ description: "Its name, as it stands." }) }),
    gives: { status: 204, about: "It is gone." },
    refuses: { 409: "The name is another one." },
    reply: async (asked) => {
      const { db, storage, log } = asked.app;
      const outcome = await removeGame(db, actorOf(asked), Number(asked.params.game_id), String(asked.query.confirm));
      if (!outcome.ok && outcome.reason === "gone") return problem(404, NONE);
      if (!outcome.ok) return problem(409, "`confirm` is not the name of this game.");
      await removeGamePictures(storage, outcome.pictures, (err) =>
        log.warn({ err }, "files of a deleted game stay in the store"),
      );
      return { status: 204 };
    },
  },
];
