/** A pretend Discord on loopback: webhooks with messages, buckets for each route, and whatever a test wants to go wrong. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A message as it stands in a channel, and how often it was changed. */
export type FakeMessage = { id: string; webhook: string; body: Record<string, unknown>; edits: number };

/** What was asked; `limited`: while the asker had been told not to; `status`: of the answer, 0 while there is none. */
type FakeRequest = {
  method: string;
  path: string;
  body: unknown;
  authorization: string | undefined;
  limited: boolean;
  status: number;
  at: number;
};

type Trouble = (request: FakeRequest, response: ServerResponse) => boolean | Promise<boolean>;

const TOKEN = "t".repeat(68);

export type FakeDiscord = Awaited<ReturnType<typeof startFakeDiscord>>;

/** @param bucket how many requests each route of each webhook takes within how long */
export async function startFakeDiscord(bucket: { most: number; perMs: number } = { most: 5, perMs: 500 }) {
  const messages = new Map<string, FakeMessage>();
  const requests: FakeRequest[] = [];
  const buckets = new Map<string, { left: number; resetsAt: number }>();
  const gone = new Set<string>();
  let next = 1_200_000_000_000_000_000n;
  let globalUntil = 0;
  /** Asked before each request is answered; true: it has answered by itself, or never will. */
  let trouble: Trouble = () => false;
  let commands: unknown[] = [];

  const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) => {
    response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(body));
  };

  /** The headers of an answer; null where the route is limited, which was answered. */
  function takeFrom(key: string, response: ServerResponse): Record<string, string> | null {
    const now = performance.now();
    if (now < globalUntil) {
      const wait = (globalUntil - now) / 1000;
      json(
        response,
        429,
        { message: "You are being rate limited.", retry_after: wait, global: true },
        {
          "Retry-After": String(Math.ceil(wait)),
          "X-RateLimit-Global": "true",
          "X-RateLimit-Scope": "global",
        },
      );
      return null;
    }
    const known = buckets.get(key);
    const own = known && known.resetsAt > now ? known : { left: bucket.most, resetsAt: now + bucket.perMs };
    buckets.set(key, own);
    const resetAfter = (own.resetsAt - now) / 1000;
    const headers = {
      "X-RateLimit-Limit": String(bucket.most),
      "X-RateLimit-Remaining": String(Math.max(0, own.left - 1)),
      "X-RateLimit-Reset-After": resetAfter.toFixed(3),
      "X-RateLimit-Bucket": `bucket-of-${key.split(" ")[0]}`,
    };
    if (own.left <= 0) {
      json(
        response,
        429,
        { message: "You are being rate limited.", retry_after: resetAfter, global: false },
        {
          ...headers,
          "Retry-After": resetAfter.toFixed(3),
          "X-RateLimit-Scope": "user",
        },
      );
      return null;
    }
    own.left -= 1;
    return headers;
  }

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const isJson = request.headers["content-type"] === "application/json";
    const url = new URL(request.url ?? "/", "http://discord.test");
    const asked: FakeRequest = {
      method: request.method ?? "",
      path: url.pathname + url.search,
      body: isJson ? JSON.parse(text) : text,
      authorization: request.headers.authorization,
      limited: false,
      status: 0,
      at: performance.now(),
    };
    requests.push(asked);
    response.once("finish", () => {
      asked.status = response.statusCode;
    });
    if (await trouble(asked, response)) return;
    if (!/^DiscordBot \(\S+, \S+\)/.test(request.headers["user-agent"] ?? "")) {
      return json(response, 403, { message: "no user agent", code: 40333 });
    }
    if (url.pathname === "/oauth2/token") return json(response, 200, { access_token: "bearer", token_type: "Bearer" });
    if (/^\/applications\/\d+\/commands$/.test(url.pathname)) {
      if (asked.authorization !== "Bearer bearer")
        return json(response, 401, { message: "401: Unauthorized", code: 0 });
      commands = asked.body as unknown[];
      return json(response, 200, commands);
    }
    const [, id = "", token = "", messageId] =
      /^\/webhooks\/(\d+)\/([\w-]+)(?:\/messages\/(\d+))?$/.exec(url.pathname) ?? [];
    if (id === "") return json(response, 404, { message: "404: Not Found", code: 0 });
    const headers = takeFrom(`${asked.method} ${id}`, response);
    if (headers === null) {
      asked.limited = true;
      return;
    }
    if (gone.has(id)) return json(response, 404, { message: "Unknown Webhook", code: 10015 }, headers);
    if (token !== TOKEN) return json(response, 401, { message: "Invalid Webhook Token", code: 50027 }, headers);
    if (asked.method === "GET") return json(response, 200, { id, name: "Spawnpoint", channel_id: "1" }, headers);
    const fault = faultOf(asked.body);
    if (fault) return json(response, 400, { message: fault, code: 50035 }, headers);
    if (asked.method === "POST") {
      const made = { id: String(next++), webhook: id, body: asked.body as Record<string, unknown>, edits: 0 };
      messages.set(made.id, made);
      return json(response, 200, { id: made.id, ...made.body }, headers);
    }
    const found = messages.get(messageId ?? "");
    if (found?.webhook !== id) return json(response, 404, { message: "Unknown Message", code: 10008 }, headers);
    if (asked.method === "DELETE") {
      messages.delete(found.id);
      response.writeHead(204, headers).end();
      return;
    }
    found.body = asked.body as Record<string, unknown>;
    found.edits += 1;
    json(response, 200, { id: found.id, ...found.body }, headers);
  }

  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  return {
    /** For SPAWNPOINT_DISCORD_API. */
    base: `http://127.0.0.1:${port}`,
    messages,
    requests,
    commands: () => commands,
    /** A webhook's address, as Discord would show it. */
    address: (id: string) => `https://discord.com/api/webhooks/${id}/${TOKEN}`,
    setTrouble(next: Trouble | null) {
      trouble = next ?? (() => false);
    },
    /** All requests are refused for so long. */
    limitAll(ms: number) {
      globalUntil = performance.now() + ms;
    },
    /** The webhook was deleted. */
    forget: (id: string) => gone.add(id),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const LIMITS = { title: 256, description: 4096 } as const;

/** What Discord refuses in a message: its documented sizes. */
function faultOf(body: unknown): string | null {
  const {
    embeds = [],
    content = "",
    allowed_mentions,
  } = (body ?? {}) as {
    embeds?: Record<string, string>[];
    content?: string;
    allowed_mentions?: { parse?: unknown[] };
  };
  if (body === undefined || body === "") return null;
  if (content.length > 2000 || embeds.length > 10) return "too long";
  if (allowed_mentions?.parse?.length !== 0) return "this fake takes no message that may mention anybody";
  let whole = 0;
  for (const embed of embeds) {
    for (const [name, most] of Object.entries(LIMITS)) {
      const text = embed[name] ?? "";
      if (text.length > most) return `${name} is too long`;
      whole += text.length;
    }
  }
  return whole > 6000 ? "embeds are too long" : null;
}
