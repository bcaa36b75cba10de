// Calls Discord's HTTP API; no other file does. A webhook's address is a secret: no response, error or log repeats it.
import { z } from "zod";
import { ANYWHERE, type Answer, RequestError, type RequestOptions, request } from "./request.ts";

/** The necessary parts of a webhook's address. `thread_id`: posts go into this thread of its channel. */
export type Webhook = { id: string; token: string; thread_id: string | null };

/** The hosts under which Discord's own programs show addresses of webhooks; all requests go to discord.com. */
const HOSTS: ReadonlySet<string> = new Set(["discord.com", "ptb.discord.com", "canary.discord.com", "discordapp.com"]);
const WEBHOOK_PATH = /^\/api(?:\/v\d{1,2})?\/webhooks\/(\d{15,21})\/([\w-]{50,120})\/?$/;
const SNOWFLAKE = /^\d{15,21}$/;

/** Parses a webhook's address as Discord shows it to its creator; null for anything else. */
export function readWebhook(typed: string): Webhook | null {
  const url = typed.length <= 400 ? URL.parse(typed.trim()) : null;
  if (url === null || url.protocol !== "https:" || !HOSTS.has(url.hostname)) return null;
  if (url.port !== "" || url.username !== "" || url.password !== "" || url.hash !== "") return null;
  const [, id = "", token = ""] = WEBHOOK_PATH.exec(url.pathname) ?? [];
  if (id === "") return null;
  const [name, ...more] = [...url.searchParams.keys()];
  const thread = url.searchParams.get("thread_id");
  if (name === undefined) return { id, token, thread_id: null };
  return more.length === 0 && thread !== null && SNOWFLAKE.test(thread) ? { id, token, thread_id: thread } : null;
}

/** Parses the message id from a link ("Copy Message Link") or a typed id; null for anything else. */
export function readMessageId(typed: string): string | null {
  const text = typed.trim();
  if (SNOWFLAKE.test(text)) return text;
  const url = text.length <= 400 ? URL.parse(text) : null;
  if (url === null || url.protocol !== "https:" || !HOSTS.has(url.hostname)) return null;
  return /^\/channels\/(?:\d{15,21}|@me)\/\d{15,21}\/(\d{15,21})\/?$/.exec(url.pathname)?.[1] ?? null;
}

/** The rate limit in a response's headers (https://docs.discord.com/developers/topics/rate-limits). */
type LimitHeaders = { bucket: string | null; most: number; remaining: number; resetAfterS: number };

/**
 * The result of a request.
 * - `ok`: it was done
 * - `limited`: it was not done, and requests of `scope` must wait `afterS`
 * - `refused`: it was not done, and a retry would be refused too; `code` is Discord's own
 * - `failed`: it was certainly not done, and may be retried
 * - `in doubt`: unknown whether it was done
 */
export type DiscordReply = { limits: LimitHeaders | null } & (
  | { outcome: "ok"; body: unknown }
  | { outcome: "limited"; afterS: number; scope: "route" | "all" }
  | { outcome: "refused"; status: number; code: number | null; text: string }
  | { outcome: "failed" | "in doubt"; text: string }
);

export type Discord = ReturnType<typeof createDiscord>;

const LIMIT_MS = 10_000;
const MOST_BYTES = 256 * 1024;
/** Longer pauses are shortened to this. */
const LONGEST_PAUSE_S = 3_600;
const TEXT_LENGTH = 200;

/** Gateways' statuses, which leave open whether the request was processed. */
const DOUBTFUL_STATUSES: ReadonlySet<number> = new Set([502, 504, 520, 521, 522, 523, 524, 525, 526, 527, 530]);
/**
 * Makes the client. No request takes longer than ten seconds, follows a redirect, or rejects.
 * @param base the address of its API (`discordApi` of the settings)
 */
export function createDiscord({
  base,
  siteUrl,
  limitMs = LIMIT_MS,
}: {
  base: string;
  siteUrl: string;
  limitMs?: number;
}) {
  // The form that Discord requires of all clients.
  const agent = `DiscordBot (${siteUrl}, 1)`;

  async function ask(method: RequestOptions["method"], path: string, given: Asked): Promise<DiscordReply> {
    try {
      const answer = await request(`${base}${path}`, {
        method,
        body: given.json === undefined ? given.form?.toString() : JSON.stringify(given.json),
        headers: {
          "User-Agent": agent,
          ...(given.json !== undefined && { "Content-Type": "application/json" }),
          ...(given.form !== undefined && { "Content-Type": "application/x-www-form-urlencoded;charset=UTF-8" }),
          ...(given.authorization !== undefined && { Authorization: given.authorization }),
        },
        maxBytes: MOST_BYTES,
        timeoutMs: limitMs,
        signal: given.signal,
        allow: ANYWHERE,
      });
      return readReply(answer);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      return { limits: null, ...failureOf(error, given.signal) };
    }
  }

  const pathOf = ({ id, token }: Webhook, rest = "") => `/webhooks/${id}/${token}${rest}`;
  const inThread = ({ thread_id }: Webhook, query = "") =>
    [query, thread_id === null ? "" : `thread_id=${thread_id}`].filter(Boolean).join("&");
  const messagePath = (webhook: Webhook, messageId: string) => {
    if (!SNOWFLAKE.test(messageId)) throw new RangeError("This is no id of a message.");
    const query = inThread(webhook);
    return pathOf(webhook, `/messages/${messageId}${query && "?"}${query}`);
  };

  return {
    /** Posts a message. The response's body is the message, with its id. */
    post: (webhook: Webhook, message: object) =>
      ask("POST", pathOf(webhook, `?${inThread(webhook, "wait=true")}`), { json: message }),
    edit: (webhook: Webhook, messageId: string, message: object, signal?: AbortSignal) =>
      ask("PATCH", messagePath(webhook, messageId), { json: message, signal }),
    remove: (webhook: Webhook, messageId: string, signal?: AbortSignal) =>
      ask("DELETE", messagePath(webhook, messageId), { signal }),
    /** Gets a webhook's data; posts nothing. */
    look: (webhook: Webhook, signal?: AbortSignal) => ask("GET", pathOf(webhook), { signal }),
    /** Replaces all commands of an application. Uses its id and secret to get a token that can do nothing else. */
    async registerCommands(app: { clientId: string; clientSecret: string }, commands: object[]): Promise<DiscordReply> {
      const basic = Buffer.from(`${app.clientId}:${app.clientSecret}`).toString("base64");
      const token = await ask("POST", "/oauth2/token", {
        form: new URLSearchParams({ grant_type: "client_credentials", scope: "applications.commands.update" }),
        authorization: `Basic ${basic}`,
      });
      if (token.outcome !== "ok") return token;
      const given = tokenShape.safeParse(token.body);
      if (!given.success) return { limits: null, outcome: "failed", text: "no token in the answer" };
      const authorization = `Bearer ${given.data.access_token}`;
      return ask("PUT", `/applications/${app.clientId}/commands`, { json: commands, authorization });
    },
  };
}

type Asked = {
  json?: object | undefined;
  form?: URLSearchParams | undefined;
  authorization?: string;
  signal?: AbortSignal | undefined;
};

const tokenShape = z.object({ access_token: z.string().regex(/^[\w.-]{1,500}$/) });
const messageShape = z.object({ id: z.string().regex(SNOWFLAKE) });
/** The reason for a refusal in a response. */
const refusalShape = z.object({
  message: z.string().catch(""),
  code: z.number().nullable().catch(null),
  retry_after: z.number().min(0).catch(0),
  global: z.boolean().catch(false),
});
type Refusal = z.infer<typeof refusalShape>;

/** Gets the message id from a response; null if it has none. */
export const messageIdOf = (body: unknown): string | null => messageShape.safeParse(body).data?.id ?? null;

function readReply({ status, headers, body: bytes, end }: Answer): DiscordReply {
  const limits = limitsOf(headers);
  // A done request is done, however its response ends.
  const body = end === "whole" ? parseJson(bytes) : null;
  if (status >= 200 && status < 300) return { limits, outcome: "ok", body };
  const said = refusalShape.catch({ message: "", code: null, retry_after: 0, global: false }).parse(body);
  if (status === 429) return { limits, ...limitedBy(headers, said) };
  const text = `${status} ${plain(said.message)}`.trim();
  if (status >= 400 && status < 500) return { limits, outcome: "refused", status, code: said.code, text };
  return { limits, outcome: DOUBTFUL_STATUSES.has(status) ? "in doubt" : "failed", text };
}

const plain = (text: string) => text.replace(/[\p{Cc}\p{Cf}]/gu, " ").slice(0, TEXT_LENGTH);

type Headers = Answer["headers"];

const textIn = (headers: Headers, name: string): string | null => headers[name.toLowerCase()]?.toString() ?? null;

/** Gets a header as a number of at least 0; null if missing. */
function figureIn(headers: Headers, name: string): number | null {
  const text = textIn(headers, name);
  return text !== null && /^\d{1,12}(?:\.\d{1,9})?$/.test(text) ? Number(text) : null;
}

function limitsOf(headers: Headers): LimitHeaders | null {
  const [most, remaining, resetAfterS] = ["Limit", "Remaining", "Reset-After"].map((name) =>
    figureIn(headers, `X-RateLimit-${name}`),
  );
  if (most == null || remaining == null || resetAfterS == null) return null;
  const bucket = textIn(headers, "X-RateLimit-Bucket")?.slice(0, 100) ?? null;
  return { bucket, most, remaining, resetAfterS: Math.min(resetAfterS, LONGEST_PAUSE_S) };
}

/** Without a scope the refusal comes from a proxy before the API, which counts by this machine's address. */
function limitedBy(headers: Headers, said: Refusal): { outcome: "limited"; afterS: number; scope: "route" | "all" } {
  const afterS = Math.max(figureIn(headers, "Retry-After") ?? 0, said.retry_after) || 1;
  const scope = textIn(headers, "X-RateLimit-Scope");
  const all = said.global || scope === "global" || textIn(headers, "X-RateLimit-Global") === "true" || scope === null;
  return { outcome: "limited", afterS: Math.min(Math.max(afterS, 0.1), LONGEST_PAUSE_S), scope: all ? "all" : "route" };
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(String(bytes));
  } catch {
    return null;
  }
}

function failureOf(
  { failure, progress, cause }: RequestError,
  signal: AbortSignal | undefined,
): { outcome: "failed" | "in doubt"; text: string } {
  if (signal?.aborted) return { outcome: "in doubt", text: "the site stopped" };
  if (failure === "timeout") return { outcome: "in doubt", text: "timeout" };
  const code = cause instanceof Error ? String((cause as NodeJS.ErrnoException).code ?? "") : "";
  return { outcome: progress.sent ? "in doubt" : "failed", text: code || "broken" };
}
