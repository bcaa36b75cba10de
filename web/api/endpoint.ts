// Serves /api/v1. Each request is handled in one order: find the operation, identify and count the client, check permission,
// validate, run.
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import type { AppParts } from "../context.ts";
import type { SiteOfRequest } from "../pages/site-snapshot.ts";
import { namesTag, weakTagOf } from "../request/etag.ts";
import { type Asker, askerOfAccount, askerOfAddress } from "../request/fair-queue.ts";
import { readVisit, type Visit } from "../request/visit.ts";
import { type Authenticated, authenticate, isAllowed } from "./authenticate.ts";
import type { CallBudgets } from "./call-budgets.ts";
import { createKeptAnswers, mayCompress } from "./kept-answers.ts";
import type { Asked, Fields, Operation, Reply } from "./operation.ts";
import { isPublic } from "./operation.ts";
import { OPERATIONS } from "./operations.ts";
import { problem } from "./problem.ts";
import { readBody, readParams, readQuery } from "./read-request.ts";

/** Scripts of other sites may read without cookies; operations with a key or a token are not for browsers elsewhere. */
export const FOR_ALL_SITES = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "ETag, Link, Retry-After, X-Relay-Error",
  "cross-origin-resource-policy": "cross-origin",
};

type Env = { Bindings: HttpBindings };
export type ApiSites = { public: SiteOfRequest; members: SiteOfRequest };

/** Builds the endpoint, to be mounted at /api/v1. */
export function apiEndpoint(app: AppParts, sites: ApiSites, budgets: CallBudgets, trustProxy: number): Hono<Env> {
  const endpoint = new Hono<Env>();
  const keep = createKeptAnswers();

  async function answer(c: Context<Env>, operation: Operation): Promise<Response> {
    const params = readParams(operation, c.req.param());
    if (params === null) return problem(404, "There is nothing at this address.");
    const visit = readVisit(c.env.incoming, trustProxy);
    const who: Authenticated | Response =
      operation.access === "open"
        ? { key: null, member: null }
        : await authenticate(app.db, budgets, visit, c.req.header("Authorization") ?? null);
    if (who instanceof Response) return who;
    const refusal = refuse(operation, who);
    if (refusal) return refusal;
    const query = readQuery(operation, new URL(c.req.url).searchParams);
    if (query instanceof Response) return query;
    const body = await readBody(operation, c.req);
    if (body instanceof Response) return body;
    const site = (who.member ? sites.members : sites.public).readFor(c.env.incoming);
    if ("read" in operation) return fromMemory(c, operation, { site, params, query, who });
    if ("elsewhere" in operation) return problem(404, "There is nothing at this address.");
    const asked: Asked = {
      app,
      site,
      params,
      query,
      body: body.value,
      ...who,
      visit,
      headers: c.req.raw.headers,
      request: c.req.raw,
    };
    const { pages, forms } = app.shares;
    const leave = await (operation.method === "get" ? pages : forms).take(askerOf(who, visit));
    const reply = await ("fetch" in operation ? operation.fetch(asked) : operation.reply(asked)).finally(leave);
    return finish(c, reply, isPublic(operation) && !who.member && !who.key);
  }

  async function fromMemory(
    c: Context<Env>,
    operation: Extract<Operation, { read: unknown }>,
    asked: { site: Asked["site"]; params: Fields; query: Fields; who: Authenticated },
  ): Promise<Response> {
    const { site, params, query, who } = asked;
    const kept = keep(site, JSON.stringify([operation.id, params, query]), () => {
      const json = operation.read(site, { params, query });
      if (json === null) return null;
      const link = linksOf(site.site_url + c.req.path, query, json);
      const headers: Record<string, string> = link ? { Link: link } : {};
      return { json, headers };
    });
    if (!kept) return problem(404, "There is nothing at this address.");
    const headers: Record<string, string> = {
      ...kept.headers,
      ETag: kept.etag,
      "Cache-Control": who.member || who.key ? "private, no-store" : "no-cache",
      Vary: "Accept-Encoding, Authorization",
    };
    if (namesTag(c.req.header("If-None-Match"), kept.etag)) return new Response(null, { status: 304, headers });
    headers["Content-Type"] = "application/json; charset=utf-8";
    if (!mayCompress(kept, c.req.header("Accept-Encoding"))) return new Response(kept.bytes, { headers });
    headers["Content-Encoding"] = "gzip";
    return new Response(await kept.gzip(), { headers });
  }

  const paths = Map.groupBy(
    OPERATIONS.filter((operation) => !("elsewhere" in operation)),
    ({ path }) => path,
  );
  for (const [path, operations] of paths) {
    const methods = operations.flatMap(({ method }) => (method === "get" ? ["GET", "HEAD"] : [method.toUpperCase()]));
    const open = operations.every(isPublic);
    endpoint.all(path.replace(/\{(\w+)\}/g, ":$1"), async (c) => {
      const method = c.req.method === "HEAD" ? "GET" : c.req.method;
      const operation = operations.find((one) => one.method.toUpperCase() === method);
      if (operation) {
        const response = await answer(c, operation);
        if (open) for (const [name, value] of Object.entries(FOR_ALL_SITES)) response.headers.set(name, value);
        return response;
      }
      const allow = [...methods, "OPTIONS"].join(", ");
      if (method === "OPTIONS")
        return c.body(null, 204, open ? { Allow: allow, ...preflight(methods) } : { Allow: allow });
      return problem(405, `This address takes ${allow}.`, { headers: { Allow: allow } });
    });
  }
  endpoint.all("*", () => problem(404, "There is nothing at this address."));
  return endpoint;
}

const preflight = (methods: string[]) => ({
  ...FOR_ALL_SITES,
  "Access-Control-Allow-Methods": methods.join(", "),
  "Access-Control-Allow-Headers": "If-None-Match",
  "Access-Control-Max-Age": "86400",
});

/** Finds whose slots an operation takes: the same as for pages and forms, by any way of access. */
function askerOf({ key, member }: Authenticated, visit: Visit): Asker {
  if (key) return askerOfAccount("staff", `key ${key.key_id}`);
  if (member) return askerOfAccount("members", member.user_id);
  return askerOfAddress(visit.ip);
}

/** Finds why the client may not run it; null: they may. */
function refuse(operation: Operation, who: Authenticated): Response | null {
  const { access } = operation;
  const { key, member } = who;
  if (access === "anybody" || access === "open" || access === "game-machine") return null;
  const headers = { "WWW-Authenticate": "Bearer" };
  if (access === "session") {
    return member ? null : problem(401, "This needs the access token of a program's session.", { headers });
  }
  if (!key && !member) return problem(401, "This needs an access token or an admin's key.", { headers });
  if (access === "known") return null;
  const permission = key || !("member" in operation) ? access : (operation.member ?? access);
  if (!isAllowed(who, permission)) {
    return key
      ? problem(403, `This key has no scope "${access}".`, { code: "scope" })
      : problem(403, `This member has no permission "${permission}".`, { code: "permission" });
  }
  return "fresh" in operation && member && !member.fresh
    ? problem(403, "This needs a session that began within the last 15 minutes: sign in again.", { code: "not_fresh" })
    : null;
}

/** Turns a reply into a response. `shared`: the same for everyone; caches may revalidate it by its ETag. */
function finish(c: Context<Env>, reply: Reply, shared: boolean): Response {
  const reading = c.req.method === "GET" || c.req.method === "HEAD";
  const response = reply instanceof Response ? reply : asResponse(reply, reading);
  if (response.status >= 400) return response;
  const { headers } = response;
  headers.set("Cache-Control", shared ? "no-cache" : "private, no-store");
  headers.set("Vary", "Authorization");
  const etag = headers.get("ETag");
  if (!reading || etag === null || !namesTag(c.req.header("If-None-Match"), etag)) return response;
  headers.delete("Content-Type");
  return new Response(null, { status: 304, headers });
}

function asResponse(reply: Exclude<Reply, Response>, reading: boolean): Response {
  if (!("json" in reply)) return new Response(null, { status: reply.status, headers: reply.headers ?? {} });
  const text = JSON.stringify(reply.json);
  return new Response(text, {
    status: reply.status ?? 200,
    headers: {
      ...(reading ? { ETag: weakTagOf(text) } : {}),
      ...reply.headers,
      "Content-Type": "application/json; charset=utf-8",
    },
  });
}

/** Links the neighbours of a page, as RFC 8288 writes them. */
function linksOf(address: string, query: Fields, json: unknown): string | null {
  if (typeof json !== "object" || json === null || !("pages" in json) || !("page" in json)) return null;
  const [page, pages] = [Number(json.page), Number(json.pages)];
  const to = (number: number, rel: string) => {
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
    search.set("page", String(number));
    return `<${address}?${search}>; rel="${rel}"`;
  };
  return [
    to(1, "first"),
    ...(page > 1 ? [to(Math.min(page - 1, pages), "prev")] : []),
    ...(page < pages ? [to(page + 1, "next")] : []),
    to(pages, "last"),
  ].join(", ");
}
