// Writes the client's typed calls from the API's own document: client/src/operations.ts.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { OPERATIONS, SHAPES } from "#web/api/operations.ts";
import { type ApiDocument, type DescribedOperation, describeApi } from "#web/api/reference/document.ts";

export const OPERATIONS_FILE = path.join(import.meta.dirname, "../client/src/operations.ts");

/** Those that have their own part of the client: `auth`, `live`, `storage`. */
const ELSEWHERE = /^\/(?:session|account|live|storage)(?:\/|$)/;

type Schema = {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  description?: string;
};
type Called = { method: string; path: string; operation: DescribedOperation };
/** Names lead to operations, or to further names. */
type Tree = { [name: string]: Tree | Called };

const isCalled = (node: Tree | Called): node is Called => typeof node.method === "string";

/** The text of the file. */
export function writeOperations(document: ApiDocument): string {
  const calls: Called[] = Object.entries(document.paths)
    .filter(([path]) => !ELSEWHERE.test(path))
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ method, path, operation })));
  const tree: Tree = {};
  for (const call of calls) {
    const names = nameOf(call);
    let node = tree;
    for (const name of names.slice(0, -1)) {
      node[name] ??= {};
      node = node[name] as Tree;
    }
    const last = names.at(-1) ?? "";
    if (last in node) throw new Error(`two operations are called ${names.join(".")}`);
    node[last] = call;
  }
  const shapes = Object.entries(document.components.schemas)
    .map(([name, schema]) => `export type ${name} = ${typeText(schema as Schema)};\n`)
    .join("\n");
  return `// Made by scripts/client-operations.ts from the API's own document. Do not edit: npm run client:operations writes it anew.
import type { CallOptions } from "./request.ts";
import { type Answer, type Call, type ListAnswer, type ListPage, withSingle } from "./typed-call.ts";

${shapes}
/** The typed calls of a client, by what they are about. */
export type Operations = ${treeText(tree)};

/** Method and path of each of them, and whether it gives a list. */
const CALLS = ${tableText(tree)} as const;

type Operation = readonly [method: string, path: string, list?: true];
type Given = Record<string, unknown> & { body?: unknown; revision?: string };

/** The calls, by a client's own way to call. */
export function bindOperations(call: Call, token: () => Promise<string | null>): Operations {
  async function send<T>([method, template]: Operation, { body, revision, ...rest }: Given, options: CallOptions) {
    const path = template.replace(/\\{(\\w+)\\}/g, (_, name: string) => {
      const value = encodeURIComponent(String(rest[name]));
      delete rest[name];
      return value;
    });
    const single = method === "get" && path !== template;
    return call<T>(method, path, { ...options, body, revision, single, query: rest, token: await token() });
  }
  const bind = (node: object): unknown =>
    Array.isArray(node)
      ? (given: Given = {}, options: CallOptions = {}) => {
          const answer = send<ListPage>(node as unknown as Operation, given, options);
          return node[2] ? withSingle(answer) : answer;
        }
      : Object.fromEntries(Object.entries(node).map(([name, inner]) => [name, bind(inner)]));
  return bind(CALLS) as Operations;
}
`;
}

/** `GET /servers/{server_id}/history`, called readHistory, is `servers.readHistory`; `GET /admin/games` is `admin.games.list`. */
function nameOf({ path, operation }: Called): string[] {
  const words = path
    .split("/")
    .filter((part) => part !== "" && !part.startsWith("{"))
    .map((part) => part.replace(/\.\w+$/, "").replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()));
  const groups = words.splice(0, words[0] === "admin" ? 2 : 1);
  const verb = /^[a-z]+/.exec(operation.operationId)?.[0] ?? operation.operationId;
  return [...groups, verb + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")];
}

function treeText(tree: Tree, indent = "  "): string {
  const lines = Object.entries(tree).map(([name, node]) =>
    isCalled(node)
      ? `${indent}/** ${node.operation.summary}. */\n${indent}${name}(${argumentsText(node.operation)}): ${isList(node) ? `ListAnswer<${answerText(node.operation)}>` : `Promise<Answer<${answerText(node.operation)}>>`};`
      : `${indent}${name}: ${treeText(node, `${indent}  `)};`,
  );
  return `{\n${lines.join("\n")}\n${indent.slice(2)}}`;
}

/** Whether it gives one page of rows. */
const isList = ({ operation }: Called): boolean => answerText(operation).endsWith("Page");

function tableText(tree: Tree, indent = "  "): string {
  const lines = Object.entries(tree).map(
    ([name, node]) =>
      `${indent}${name}: ${isCalled(node) ? JSON.stringify([node.method, node.path, ...(isList(node) ? [true] : [])]) : tableText(node, `${indent}  `)},`,
  );
  return `{\n${lines.join("\n")}\n${indent.slice(2)}}`;
}

function argumentsText({ parameters = [], requestBody, responses }: DescribedOperation): string {
  const fields = parameters.map(({ name, required, schema }) => ({
    name,
    optional: !required || "default" in schema,
    type: typeText(schema as Schema),
  }));
  const takesFile = requestBody && "application/octet-stream" in requestBody.content;
  const body = takesFile
    ? ["Blob", "FormData"]
    : requestBody && Object.values(requestBody.content).map(({ schema }) => typeText(schema as Schema));
  if (body) fields.push({ name: "body", optional: false, type: [...new Set(body)].join(" | ") });
  if ("428" in responses) fields.push({ name: "revision", optional: false, type: "string" });
  const given = fields.map(({ name, optional, type }) => `${name}${optional ? "?" : ""}: ${type}`).join("; ");
  const mayBeLeftOut = fields.every(({ optional }) => optional);
  return `given${mayBeLeftOut ? "?" : ""}: ${given ? `{ ${given} }` : "Record<string, never>"}, options?: CallOptions`;
}

function answerText({ responses }: DescribedOperation): string {
  const [, answer] = Object.entries(responses).find(([status]) => status.startsWith("2")) ?? [];
  const schema = answer?.content?.["application/json"]?.schema;
  return schema ? typeText(schema as Schema) : "null";
}

/** A JSON Schema as a TypeScript type. */
function typeText(schema: Schema): string {
  if (schema.$ref) return schema.$ref.replace(/^.*\//, "");
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const several = schema.anyOf ?? schema.oneOf;
  if (several) return [...new Set(several.map(typeText))].join(" | ");
  if (schema.allOf) return schema.allOf.map(typeText).join(" & ");
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeText({ ...schema, type })).join(" | ");
  switch (schema.type) {
    case "string":
      return "string";
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "null":
      return "null";
    case "array":
      return schema.items ? `Array<${typeText(schema.items)}>` : "unknown[]";
    case "object":
      return objectText(schema);
    default:
      return "unknown";
  }
}

function objectText({ properties, required = [], additionalProperties }: Schema): string {
  if (!properties) {
    const values = typeof additionalProperties === "object" ? typeText(additionalProperties) : "unknown";
    return `Record<string, ${values}>`;
  }
  const fields = Object.entries(properties).map(
    ([name, schema]) =>
      `${/^\w+$/.test(name) ? name : JSON.stringify(name)}${required.includes(name) ? "" : "?"}: ${typeText(schema)}`,
  );
  return `{ ${fields.join("; ")} }`;
}

/** The text as it has to be now. */
export const operationsNow = (): string =>
  writeOperations(describeApi(OPERATIONS, SHAPES, { url: "https://play.example", name: "Spawnpoint" }));

if (import.meta.main) {
  const text = operationsNow();
  const before = readFileSync(OPERATIONS_FILE, { encoding: "utf8", flag: "a+" });
  writeFileSync(OPERATIONS_FILE, text);
  console.log(before === text ? "The client's calls are as they were." : `${OPERATIONS_FILE} was written anew.`);
}
