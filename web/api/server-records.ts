// Reads and writes game servers for an admin's programs, with the acts, shapes and audit rows of the admin area, and its
// rule for addresses.
import { z } from "zod";
import type { Db } from "#db/client.ts";
import { type ForgottenSecret, missingSecrets } from "#domain/game-servers/adapter-secrets.ts";
import {
  createGameServer,
  findGameServerToEdit,
  removeGameServer,
  updateGameServer,
} from "#domain/game-servers/edits.ts";
import {
  type GameServerFields,
  gameServerFields,
  gameServerRow,
  gameServerShape,
  newGameServerFields,
} from "#domain/game-servers/fields.ts";
import { listGameServers } from "#domain/game-servers/game-servers.ts";
import { findJoinLink } from "#domain/games/edits.ts";
import type { AppParts } from "../context.ts";
import { fieldErrorsOf, fieldProblem } from "./field-errors.ts";
import type { Operation } from "./operation.ts";
import { problem } from "./problem.ts";
import { actorOf, changed, REPLACE, readRevision, recordId, recordPage, recordReply } from "./records.ts";
import { pageOf } from "./schemas.ts";

const record = z.object({ server_id: z.int().min(1), revision: z.string(), record: gameServerFields });
/** The adapter's secrets are never part of a record: a save reports those that it deleted. */
const saved = record.extend({
  forgotten_secrets: z.array(z.object({ name: z.string(), because: z.enum(["host", "adapter"]) })).meta({
    description: "Kept until now, and gone with another host, or another way to ask. The form takes new ones.",
  }),
  missing_secrets: z.array(z.string()).meta({ description: "Without these, which no record has, it answers nothing." }),
});
const list = pageOf(gameServerRow);

export const SERVER_RECORD_SHAPES = {
  ServerForm: gameServerFields,
  NewServer: newGameServerFields,
  ServerRecord: record,
  SavedServerRecord: saved,
  ServerRow: gameServerRow,
  ServerRowPage: list,
};

const TAG = "Records: game servers";
const params = z.object({ server_id: recordId });
const NONE = "There is no such game server.";

/** Gets the record after a save. */
async function findSaved(db: Db, serverId: number, forgotten: ForgottenSecret[] = []) {
  const found = await findGameServerToEdit(db, serverId);
  if (!found) return null;
  const { server_id, revision, form, sealed } = found;
  const missing_secrets = missingSecrets(form.adapter, sealed);
  return { server_id, revision, record: form, forgotten_secrets: forgotten, missing_secrets };
}

async function findRecord(db: Db, serverId: number) {
  const found = await findGameServerToEdit(db, serverId);
  return found && { server_id: found.server_id, revision: found.revision, record: found.form };
}

/** Validates the input, including the rule for addresses; otherwise returns the refusal. */
function check(app: AppParts, sent: unknown): { fields: GameServerFields } | { refusal: Response } {
  const checked = gameServerShape(app.addressRule).safeParse(sent);
  if (checked.success) return { fields: checked.data };
  return { refusal: problem(422, "The game server was not saved.", { errors: fieldErrorsOf(checked.error.issues) }) };
}

const noGame = () => problem(422, "The game server was not saved.", { errors: [fieldProblem("game_id", "no_game")] });

export const SERVER_RECORDS: Operation[] = [
  {
    id: "listServerRecords",
    method: "get",
    path: "/admin/servers",
    tag: TAG,
    access: "admin:read",
    summary: "All game servers, hidden ones too",
    query: recordPage.extend({ game_id: recordId.optional() }),
    gives: { status: 200, shape: list, about: "One page of the game servers." },
    reply: async ({ app, site, query }) => {
      const asked = { q: "", sort: "server_id", descending: false, page: Number(query.page) } as const;
      const gameId = query.game_id === undefined ? null : Number(query.game_id);
      const filter = { gameId, status: null, siteIntervalS: site.poll_interval_s };
      const { rows, page, pages, total } = await listGameServers(app.db, asked, filter);
      return { json: { data: rows, page, pages, total } };
    },
  },
  {
    id: "createServer",
    method: "post",
    path: "/admin/servers",
    tag: TAG,
    access: "gameservers:write",
    summary: "Make a game server",
    about:
      "It is watched from the next second on, and hidden until `visibility` says otherwise. A `join_link` that is left out is that of its game.",
    body: newGameServerFields,
    gives: { status: 201, shape: saved, about: "The new game server.", headers: ["Location", "ETag"] },
    reply: async (asked) => {
      const { app } = asked;
      const given = newGameServerFields.parse(asked.body);
      const silent = typeof asked.body === "object" && asked.body !== null && !Object.hasOwn(asked.body, "join_link");
      const checked = check(app, silent ? { ...given, join_link: await findJoinLink(app.db, given.game_id) } : given);
      if ("refusal" in checked) return checked.refusal;
      const made = await createGameServer(app.db, actorOf(asked), checked.fields);
      const found = made.ok ? await findSaved(app.db, made.server_id) : null;
      if (!found) return noGame();
      return recordReply(found, 201, { Location: `${asked.site.site_url}/api/v1/admin/servers/${found.server_id}` });
    },
  },
  {
    id: "readServerRecord",
    method: "get",
    path: "/admin/servers/{server_id}",
    tag: TAG,
    access: "admin:read",
    member: "gameservers:write",
    summary: "A game server as it is edited",
    params,
    gives: { status: 200, shape: record, about: "The game server.", headers: ["ETag"] },
    reply: async ({ app, params: { server_id } }) => {
      const found = await findRecord(app.db, Number(server_id));
      return found ? recordReply(found) : problem(404, NONE);
    },
  },
  {
    id: "updateServer",
    method: "put",
    path: "/admin/servers/{server_id}",
    tag: TAG,
    access: "gameservers:write",
    summary: "Change a game server",
    about: REPLACE,
    params,
    body: gameServerFields,
    gives: { status: 200, shape: saved, about: "The game server as it stands now.", headers: ["ETag"] },
    refuses: { 412: "Somebody else has changed it since.", 428: "If-Match is missing." },
    reply: async (asked) => {
      const given = readRevision(asked.headers);
      if ("refusal" in given) return given.refusal;
      const { app } = asked;
      const checked = check(app, asked.body);
      if ("refusal" in checked) return checked.refusal;
      const id = Number(asked.params.server_id);
      const saving = await updateGameServer(app.db, actorOf(asked), id, given.revision, checked.fields);
      if (!saving.ok && saving.reason === "gone") return problem(404, NONE);
      if (!saving.ok) return saving.reason === "no_game" ? noGame() : changed();
      const found = await findSaved(app.db, id, saving.forgotten);
      return found ? recordReply(found) : problem(404, NONE);
    },
  },
  {
    id: "deleteServer",
    method: "delete",
    path: "/admin/servers/{server_id}",
    tag: TAG,
    access: "gameservers:write",
    summary: "Delete a game server with its history",
    params,
    query: z.strictObject({ confirm: z.string().min(1).max(200).meta({ description: "Its name, as it stands." }) }),
    gives: { status: 204, about: "It is gone." },
    refuses: { 409: "The name is another one." },
    reply: async (asked) => {
      const id = Number(asked.params.server_id);
      const outcome = await removeGameServer(asked.app.db, actorOf(asked), id, String(asked.query.confirm));
      if (outcome.ok) return { status: 204 };
      return outcome.reason === "gone" ? problem(404, NONE) : problem(409, "`confirm` is not its name.");
    },
  },
];
