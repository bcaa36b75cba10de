// Lists every OPERATION of the public API, including those that are answered elsewhere.
import { z } from "zod";
import { heartbeatShape } from "#domain/game-servers/heartbeats.ts";
import { ACCOUNT_OPERATIONS, ACCOUNT_SHAPES } from "./account-operations.ts";
import { CONTENT_OPERATIONS, CONTENT_SHAPES } from "./content-operations.ts";
import { GAME_RECORD_SHAPES, GAME_RECORDS } from "./game-records.ts";
import type { Operation } from "./operation.ts";
import { problemShape } from "./problem.ts";
import { SESSION_OPERATIONS, SESSION_SHAPES } from "./program-session-operations.ts";
import { PUBLIC_SHAPES } from "./public-shapes.ts";
import { READING } from "./reading.ts";
import { describeApi } from "./reference/document.ts";
import type { NamedShapes } from "./schemas.ts";
import { SERVER_RECORD_SHAPES, SERVER_RECORDS } from "./server-records.ts";
import { STORAGE_OPERATIONS, STORAGE_SHAPES } from "./storage-operations.ts";

const document = z.looseObject({ openapi: z.string().meta({ description: "3.1.x" }) });

const HEARTBEAT: Operation = {
  id: "sendHeartbeat",
  method: "post",
  path: "/heartbeat",
  tag: "Game machines",
  access: "game-machine",
  elsewhere: true,
  summary: "A game machine reports itself",
  about: "With the token of its game server, as an admin gets it. Once in ten seconds is plenty.",
  body: heartbeatShape,
  gives: { status: 204, about: "It is stored." },
};

export const OPERATIONS: Operation[] = [
  ...READING,
  {
    id: "readDocument",
    method: "get",
    path: "/openapi.json",
    tag: "Reading",
    access: "anybody",
    summary: "This document",
    gives: { status: 200, shape: document, about: "OpenAPI 3.1." },
    read: (site) => describeApi(OPERATIONS, SHAPES, { url: site.site_url, name: site.settings.site_name }),
  },
  ...SESSION_OPERATIONS,
  ...ACCOUNT_OPERATIONS,
  ...STORAGE_OPERATIONS,
  ...GAME_RECORDS,
  ...SERVER_RECORDS,
  ...CONTENT_OPERATIONS,
  HEARTBEAT,
];

/** Every shape by its name in the document. */
export const SHAPES: NamedShapes = {
  ...PUBLIC_SHAPES,
  ...SESSION_SHAPES,
  ...ACCOUNT_SHAPES,
  ...STORAGE_SHAPES,
  ...GAME_RECORD_SHAPES,
  ...SERVER_RECORD_SHAPES,
  ...CONTENT_SHAPES,
  Heartbeat: heartbeatShape,
  OpenApi: document,
  Problem: problemShape,
};
