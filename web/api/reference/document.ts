// Generates the OpenAPI 3.1 document from the operations and shapes that answer requests.
import type { z } from "zod";
import type { Operation } from "../operation.ts";
import { type ProblemStatus, TITLES } from "../problem.ts";
import { type NamedShapes, parameterSchema, toDocument } from "../schemas.ts";

type Described = {
  description: string;
  content?: Record<string, { schema: object }>;
  headers?: Record<string, object>;
};
export type DescribedOperation = {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security: Record<string, string[]>[];
  parameters?: {
    name: string;
    in: string;
    required: boolean;
    description?: unknown;
    schema: Record<string, unknown>;
  }[];
  requestBody?: { required: true; content: Record<string, { schema: object }> };
  responses: Record<string, Described>;
};
export type ApiDocument = {
  openapi: string;
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, DescribedOperation>>;
  components: { schemas: Record<string, object>; securitySchemes: Record<string, object> };
};

const ABOUT =
  "Reading needs no key; it is limited to 300 calls a minute from one address (an IPv6 network of 64 bits counts as one), and any web site's scripts may do it. Answers carry an ETag: ask again with If-None-Match. Writing needs an admin's key with the right scope, or the access token of a member who may do the same on the site; 600 calls a minute. Refusals are problems as in RFC 9457.";

const made = new WeakMap<Operation[], Pick<ApiDocument, "tags" | "paths" | "components">>();

/** Describes the operations. Makes the part that is independent of the site once. */
export function describeApi(
  operations: Operation[],
  shapes: NamedShapes,
  site: { url: string; name: string },
): ApiDocument {
  const lasting = made.get(operations) ?? describeAll(operations, shapes);
  made.set(operations, lasting);
  return {
    openapi: "3.1.1",
    info: { title: `${site.name} API`, version: "1.0.0", description: ABOUT },
    servers: [{ url: `${site.url}/api/v1` }],
    ...lasting,
  };
}

function describeAll(operations: Operation[], shapes: NamedShapes) {
  const names = new Map(Object.entries(shapes).map(([name, shape]) => [shape, name]));
  const refer = (shape: z.ZodType) => {
    const name = names.get(shape);
    if (!name) throw new Error("a shape of the public API has no name");
    return { $ref: `#/components/schemas/${name}` };
  };
  const paths: ApiDocument["paths"] = {};
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: describeOperation(operation, refer) };
  }
  return {
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: toDocument(shapes),
      securitySchemes: {
        key: { type: "http", scheme: "bearer", description: "An admin's key, `spk_…`, with the scope that is named." },
        session: { type: "http", scheme: "bearer", description: "The access token of a program's session, `spa_…`." },
        gameMachine: { type: "http", scheme: "bearer", description: "The heartbeat token of a game server." },
      },
    },
  };
}

function describeOperation(operation: Operation, refer: (shape: z.ZodType) => object): DescribedOperation {
  const { gives } = operation;
  const json = (shape: z.ZodType) => ({ "application/json": { schema: refer(shape) } });
  const refusals = Object.entries(refusalsOf(operation)).map(([status, description]) => [
    status,
    { description, content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } } },
  ]);
  const unchanged = operation.method === "get" && !("elsewhere" in operation);
  const parameters = [...parametersOf("path", operation.params), ...parametersOf("query", operation.query)];
  const content = gives.shape
    ? json(gives.shape)
    : gives.type
      ? { [gives.type]: { schema: { type: "string" } } }
      : null;
  const headers = [...(gives.headers ?? []), ...(unchanged && !gives.headers?.includes("ETag") ? ["ETag"] : [])];
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.about ? { description: operation.about } : {}),
    security: securityOf(operation),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...bodyOf(operation, refer),
    responses: {
      [gives.status]: {
        description: gives.about,
        ...(content ? { content } : {}),
        ...(headers.length > 0
          ? { headers: Object.fromEntries(headers.map((name) => [name, { schema: { type: "string" } }])) }
          : {}),
      },
      ...(unchanged ? { 304: { description: "As If-None-Match says." } } : {}),
      ...Object.fromEntries(refusals),
      "5XX": {
        description: "The fault is the site's; 503 while its database does not answer.",
        content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
      },
    },
  };
}

function bodyOf({ body, asForm, file }: Operation, refer: (shape: z.ZodType) => object) {
  if (file) {
    const bytes = { schema: { type: "string", format: "binary", description: file.about } };
    const types = ["application/octet-stream", "image/*", "multipart/form-data"];
    return {
      requestBody: { required: true as const, content: Object.fromEntries(types.map((type) => [type, bytes])) },
    };
  }
  if (!body) return {};
  const types = ["application/json", ...(asForm ? ["application/x-www-form-urlencoded", "multipart/form-data"] : [])];
  const schema = refer(body);
  return {
    requestBody: { required: true as const, content: Object.fromEntries(types.map((type) => [type, { schema }])) },
  };
}

/** Lists all refusals of an operation: those that follow from its input and permissions, and its own. */
function refusalsOf(operation: Operation): Partial<Record<ProblemStatus, string>> {
  const { access, params, query, body, refuses } = operation;
  const told: ProblemStatus[] = [
    ...(!("elsewhere" in operation && access === "game-machine") && (query || access === "anybody")
      ? [400 as const]
      : []),
    ...(body ? [400 as const, 413 as const] : []),
    ...(body && access !== "game-machine" ? [415 as const, 422 as const] : []),
    ...(access === "open" ? [] : [401 as const]),
    ...(access === "open" || access === "anybody" || access === "session" || access === "game-machine"
      ? []
      : [403 as const]),
    ...(params ? [404 as const] : []),
    429,
  ];
  return { ...Object.fromEntries(told.map((status) => [status, TITLES[status]])), ...refuses };
}

function securityOf(operation: Operation): Record<string, string[]>[] {
  const { access } = operation;
  if (access === "open") return [];
  if (access === "anybody") return [{}, { session: [] }];
  if (access === "session") return [{ session: [] }];
  if (access === "known") return [{ session: [] }, { key: [] }];
  if (access === "game-machine") return [{ gameMachine: [] }];
  return [{ key: [access] }, { session: [("member" in operation && operation.member) || access] }];
}

function parametersOf(place: "path" | "query", shape: z.ZodObject | undefined) {
  return Object.entries(shape?.shape ?? {}).map(([name, one]) => {
    const { description, ...schema } = parameterSchema(one as z.ZodType);
    const required = place === "path" || !(one as z.ZodType).safeParse(undefined).success;
    return { name, in: place, required, ...(description ? { description } : {}), schema };
  });
}
